extension Command {
    /// The scripts that ask the demo for the completions of the words before the cursor.
    ///
    /// If there are none, the shell offers files. Anybody can choose the name of a project, so the scripts quote the
    /// names, and never expand them.
    static let completionScripts = ["bash": bash, "zsh": zsh, "fish": fish]

    /// It runs in bash 3.2, too.
    private static let bash = #"""
        # bash completions of directory-demo: source <(directory-demo completions bash)
        _directory_demo() {
            local word summary words=("${COMP_WORDS[@]:1:COMP_CWORD}")
            COMPREPLY=()
            while IFS=$'\t' read -r word summary; do
                COMPREPLY+=("$(printf %q "$word")")
            done < <(directory-demo completions bash -- "${words[@]//\\/}" 2>/dev/null)
        }
        complete -o default -F _directory_demo directory-demo
        """#

    private static let zsh = #"""
        # zsh completions of directory-demo: source <(directory-demo completions zsh)
        _directory_demo() {
            local line
            local -a found
            for line in ${(f)"$(directory-demo completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
                found+=("${${line//:/\\:}/$'\t'/:}")
            done
            if (( $#found )); then _describe 'directory-demo' found; else _files; fi
        }
        compdef _directory_demo directory-demo
        """#

    private static let fish = #"""
        # fish completions of directory-demo: directory-demo completions fish | source
        function __directory_demo
            set -l words (commandline -opc)
            set -e words[1]
            set -l typed (commandline -ct | string unescape)
            set -l found (directory-demo completions fish -- $words "$typed" 2>/dev/null)
            if set -q found[1]
                printf '%s\n' $found
            else
                __fish_complete_path (commandline -ct)
            end
        end
        complete -c directory-demo -f -a '(__directory_demo)'
        """#
}

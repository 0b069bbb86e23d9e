extension Command {
    /// The scripts that ask the demo for the completions of the words before the cursor.
    ///
    /// Anybody can choose the name of a project, so the scripts quote the names, and never expand them.
    static let completionScripts = ["bash": bash, "zsh": zsh, "fish": fish]

    /// It runs in bash 3.2, too.
    private static let bash = #"""
        # bash completions of directory-demo: source <(directory-demo completions bash)
        _directory_demo() {
            local word summary words=("${COMP_WORDS[@]:1:COMP_CWORD}")
            COMPREPLY=()
            while IFS=$'\t' read -r word summary; do
                if [[ $word != :files ]]; then
                    COMPREPLY+=("$(printf %q "$word")")
                    continue
                fi
                while IFS= read -r word; do
                    COMPREPLY+=("$word")
                done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
                compopt -o filenames 2>/dev/null
            done < <(directory-demo completions bash -- "${words[@]//\\/}" 2>/dev/null)
        }
        complete -F _directory_demo directory-demo
        """#

    private static let zsh = #"""
        #compdef directory-demo
        # zsh completions of directory-demo: source <(directory-demo completions zsh)
        _directory_demo() {
            local line
            local -a found
            for line in ${(f)"$(directory-demo completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
                if [[ $line == :files ]]; then
                    _files
                    return
                fi
                found+=("${${line//:/\\:}/$'\t'/:}")
            done
            _describe 'directory-demo' found
        }
        if [[ $funcstack[1] == _directory_demo ]]; then
            _directory_demo "$@"
        else
            compdef _directory_demo directory-demo
        fi
        """#

    private static let fish = #"""
        # fish completions of directory-demo: directory-demo completions fish | source
        function __directory_demo
            set -l words (commandline -opc)
            set -e words[1]
            set -l typed (commandline -ct | string unescape)
            for line in (directory-demo completions fish -- $words "$typed" 2>/dev/null)
                if test "$line" = :files
                    __fish_complete_path (commandline -ct)
                else
                    echo $line
                end
            end
        end
        complete -c directory-demo -f -a '(__directory_demo)'
        """#
}

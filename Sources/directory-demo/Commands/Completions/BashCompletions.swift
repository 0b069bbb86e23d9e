extension Command {
    /// The completions for bash; they run in bash 3.2, too.
    static var bashCompletions: String {
        """
        # bash completions of directory-demo: source <(directory-demo completions bash)
        _directory_demo_words() {
            local word
            for word in "$@"; do
                [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
            done
        }
        # Names of projects are text of anybody: they are quoted, and never expanded.
        _directory_demo_projects() {
            local name typed=${cur//\\\\/}
            while IFS= read -r name; do
                [[ $name == "$typed"* ]] && COMPREPLY+=("$(printf %q "$name")")
            done < <(directory-demo list --names 2>/dev/null)
        }
        _directory_demo_files() {
            local file
            while IFS= read -r file; do
                COMPREPLY+=("$file")
            done < <(compgen -f -- "$cur")
            compopt -o filenames 2>/dev/null
        }
        _directory_demo() {
            local cur=${COMP_WORDS[COMP_CWORD]} command= position=-1 i
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                case ${COMP_WORDS[i]} in
                \(optionsWithValues.joined(separator: " | "))) ((i++)) ;;
                -*) ;;
                *) if [[ -z $command ]]; then command=${COMP_WORDS[i]}; fi; ((position++)) ;;
                esac
            done
            case ${COMP_WORDS[COMP_CWORD - 1]} in
            \(optionsWithValues.joined(separator: " | "))) _directory_demo_files; return ;;
            esac
            case $command in
        \(bashCases.joined(separator: "\n"))
            esac
        }
        complete -F _directory_demo directory-demo
        """
    }

    /// The options whose value is a file or a folder.
    static var optionsWithValues: [String] {
        Option.all.filter { $0.value != nil }.map(\.name)
    }

    private static var bashCases: [String] {
        let commands = all.map(\.name).joined(separator: " ")
        let start = """
                "")
                    case $cur in
                    -*) _directory_demo_words --version \(bashOptions(Option.common)) ;;
                    *) _directory_demo_words \(commands) ;;
                    esac ;;
            """
        return [start] + all.map(\.bashCase)
    }

    private var bashCase: String {
        let operands = (0...lastPosition).map { position in
            // The last operand can be repeated.
            let pattern = position == lastPosition ? "*" : "\(position)"
            return "        \(pattern)) \(bashAction(at: position)) ;;"
        }
        return """
                \(name))
                    case $cur in
                    -*) _directory_demo_words \(Self.bashOptions(completedOptions)); return ;;
                    esac
                    case $position in
            \(operands.map { "    \($0)" }.joined(separator: "\n"))
                    esac ;;
            """
    }

    private func bashAction(at position: Int) -> String {
        switch completion(at: position) {
        case .projects: "_directory_demo_projects"
        case .files: "_directory_demo_files"
        case .words(let words): "_directory_demo_words \(words.joined(separator: " "))"
        case .nothing: ":"
        }
    }

    private static func bashOptions(_ options: [Option]) -> String {
        options.map(\.name).joined(separator: " ")
    }
}

extension Command {
    /// The completions for zsh.
    static var zshCompletions: String {
        """
        #compdef directory-demo
        # zsh completions of directory-demo: source <(directory-demo completions zsh)
        _directory_demo_projects() {
            local -a names
            names=("${(@f)$(directory-demo list --names 2>/dev/null)}")
            compadd -a names
        }
        _directory_demo() {
            local context state line
            local -a commands
            commands=(
        \(all.map { "        \(zshQuoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
            )
            if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                _describe command commands
                return
            fi
            case $words[2] in
        \(all.map(\.zshCase).joined(separator: "\n"))
            *) _arguments \(zshOptions([.version] + Option.common)) ;;
            esac
        }
        if [[ $funcstack[1] == _directory_demo ]]; then
            _directory_demo "$@"
        else
            compdef _directory_demo directory-demo
        fi
        """
    }

    private var zshCase: String {
        let positions = operands.isEmpty ? [] : Array(0...lastPosition)
        let words = positions.map { position in
            // After the command, which is the first word.
            let number = position == lastPosition ? "*" : "\(position + 2)"
            return zshQuoted("\(number): :\(zshAction(at: position))")
        }
        let arguments = [Self.zshOptions(completedOptions), "'1: :'"] + words
        return "    \(name)) _arguments \(arguments.joined(separator: " ")) ;;"
    }

    private func zshAction(at position: Int) -> String {
        switch completion(at: position) {
        case .projects: "_directory_demo_projects"
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .nothing: ""
        }
    }

    private static func zshOptions(_ options: [Option]) -> String {
        let words = options.map { option in
            let value = option.value.map { ":\($0):_files" } ?? ""
            return zshQuoted("\(option.name)[\(option.summary)]\(value)")
        }
        return words.joined(separator: " ")
    }
}

/// A word in single quotes, in which zsh expands nothing.
private func zshQuoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
}

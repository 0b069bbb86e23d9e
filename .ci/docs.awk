# Takes the code out of an article for .ci/docs, which says what the comments mean.
#
# With -v script=1: a shell script that does what the article says. Its files are written, its `sh` blocks
# run, and each line of a `text` block must be in what the block before it printed; "…" is any text.
# Else: Swift files, whose names begin with -v out=.

function heading(line) { return line ~ /^(In an async function|In a function|In a view|In [^ ]+$)/ }

function wrap(kind,    parameters, i) {
    parameters = ""
    if (i = index(kind, ", with ")) {
        parameters = substr(kind, i + 7)
        sub(/[:.]$/, "", parameters)
    }
    if (kind ~ /^In an async function/) return "func block" count "(" parameters ") async throws {"
    if (kind ~ /^In a function/) return "func block" count "(" parameters ") throws {"
    return "@MainActor @ViewBuilder func block" count "(" parameters ") -> some View {"
}

function imports() {
    return "import AppFolders\nimport Directory\nimport DirectoryReplicas\nimport FileStore\nimport Foundation\n" \
        "import Preferences\nimport SwiftUI\n"
}

function place(line) { return "#sourceLocation(file: \"" article "\", line: " line ")\n" }

function finish(    text, file) {
    if (kind == "" && match(body, /^\/\/ In [^\n]*/)) kind = substr(body, 4, RLENGTH - 3)
    if (!heading(kind)) kind = ""
    if (script) { finishScript(); kind = ""; return }
    if (language != "swift" || kind ~ /^In [^ ]+$/) { kind = ""; return }
    count++
    if (body ~ /^import / || body ~ /\nimport /) {
        file = out "-program" count ".swift"
        printf "%s%s", place(start), body > file
        close(file)
    } else if (kind == "") {
        declarations = declarations place(start) body
    } else {
        statements = statements wrap(kind) "\n" place(start) body "}\n"
    }
    kind = ""
}

function finishScript(    path, lines, n, i) {
    if (language == "swift" && kind ~ /^In [^ ]+$/) {
        path = substr(kind, 4)
        sub(/:$/, "", path)
        gsub(/\.package\(url: "[^"]*", from: "[^"]*"\)/, \
            ".package(name: \"Directory\", path: \"" package "\")", body)
        printf "mkdir -p \"$(dirname '%s')\"\ncat > '%s' <<'END_OF_FILE'\n%sEND_OF_FILE\n", path, path, body
    } else if (language == "sh") {
        printf "printf '%%s' %s\n", quoted(body)
        if (body ~ /\ncd |^cd /) printf "%s", body
        else printf "{\n%s} 2>&1 | tee \"$HOME/printed\"\n", body
    } else if (language == "text") {
        n = split(body, lines, "\n")
        for (i = 1; i <= n; i++) if (lines[i] != "") printf "expect %s\n", quoted(lines[i])
    }
}

function quoted(text) { gsub(/'/, "'\\''", text); return "'" text "'" }

BEGIN {
    if (script) {
        print "expect() {"
        print "    local pattern=${1//\\[/\\\\[}"
        print "    pattern=${pattern//./\\\\.} && pattern=${pattern//\\*/\\\\*}"
        print "    grep -q \"^${pattern//…/.*}\\$\" \"$HOME/printed\" || { echo \"not printed: $1\"; exit 1; }"
        print "}"
    }
}

/^```/ {
    if (inside) { inside = 0; finish(); next }
    inside = 1; language = substr($0, 4); body = ""; start = NR + 1
    kind = previous ~ /^<!-- In .* -->$/ ? substr(previous, 6, length(previous) - 9) : ""
    next
}
inside { body = body $0 "\n"; next }
/^<!-- With:$/ { hidden = 1; declarations = declarations place(NR + 1); next }
hidden && /^-->$/ { hidden = 0; next }
hidden { declarations = declarations $0 "\n"; next }
{ previous = $0 }

END {
    if (!script && (declarations != "" || statements != "")) {
        printf "%s%s%s", imports(), declarations, statements > (out "-article.swift")
    }
    if (inside) { print article ": a block has no end" > "/dev/stderr"; exit 1 }
}

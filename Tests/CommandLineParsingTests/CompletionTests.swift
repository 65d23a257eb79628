import CommandLineParsing
import Testing

@Suite struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func everyCommandAndOptionIsOffered(_ shell: Shell) {
        let script = Sample.program.completion(for: shell)
        for command in Sample.program.commands {
            #expect(script.contains(command.name))
            for option in command.options + Sample.program.globalOptions {
                #expect(script.contains(shell == .fish ? "-l \(option.name)" : "--\(option.name)"))
            }
        }
    }

    @Test func choicesAndFilesAreOffered() {
        let bash = Sample.program.completion(for: .bash)
        #expect(bash.contains(#""scan --mode") COMPREPLY=($(compgen -W 'notify indicate' -- "$current")) ;;"#))
        #expect(bash.contains(#""serve -o"|"serve --output") COMPREPLY=($(compgen -f -- "$current")) ;;"#))
        #expect(bash.contains(#"*" -i"|*" --adapter") COMPREPLY=($(compgen -W 'virtual hci0' -- "$current")) ;;"#))
        let fish = Sample.program.completion(for: .fish)
        #expect(
            fish.contains(
                "complete -c sample -n '__fish_seen_subcommand_from scan' -l mode -x -a 'notify indicate' "
                    + "-d 'How values are sent.'\n"))
        let zsh = Sample.program.completion(for: .zsh)
        #expect(zsh.contains("'--mode=[How values are sent.]:MODE:(notify indicate)'"))
        #expect(zsh.contains("'1:FILE:_files'"))
        #expect(zsh.contains("'*:ATTRIBUTE: '"))
    }
}

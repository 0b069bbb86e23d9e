import Directory
import Foundation

extension Command {
    static let importFiles = Command(
        name: "import", operands: "NAME PATH...",
        summary: "Import files into a project, all or none."
    ) { call in
        let project = try call.store.project(named: call.operands[0])
        let files = try call.operands.dropFirst().flatMap(URL.filesToImport)
        guard !files.isEmpty else {
            throw Failure(.operation, "there is nothing to import: no visible file was found")
        }
        let photos = try call.store.open(.photos, of: project)
        let imported = try Importer(files: files).run(into: photos)
        try photos.close()
        if call.isDefaultStore { Settings().project = project.name }
        let size = imported.reduce(0) { $0 + $1.byteCount }.asBytes
        print("Imported \(imported.count.of("file")), \(size), into \(project.name.styled(.bold))")
    }
}

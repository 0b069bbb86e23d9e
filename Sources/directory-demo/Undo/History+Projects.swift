import Directory
import Foundation

extension History {
    /// Transfers `project` from `store` to the history.
    ///
    /// If this throws `locked`, it can be called again.
    func keep(_ project: Project, from store: Directory<Project>) throws {
        try reserveFolderName(of: project)
        try store.transfer([project.id], to: projects)
    }

    /// Transfers `project` from the history to the end of `store`, with the folder name it had there.
    ///
    /// If this throws `locked`, it can be called again.
    func giveBack(_ project: Project, to store: Directory<Project>) throws {
        try reserveFolderName(of: project)
        try projects.transfer([project.id], to: store)
    }

    /// Makes the folder name of `project` its own in the history, whether it is kept there or not.
    ///
    /// Several projects that are kept may have had the same folder name in the store. All but
    /// `project` have their ids as folder names from now on; the records have the names of the store.
    func reserveFolderName(of project: Project) throws {
        try projects.write { draft in
            for kept in draft.items where kept.id != project.id {
                try draft.update(id: kept.id) { $0.folderName = kept.id.uuidString }
            }
        }
        // A second commit, because a name that a commit frees cannot be given by the same one.
        try projects.write { draft in
            guard draft[id: project.id] != nil else { return }
            try draft.update(id: project.id) { $0.folderName = project.folderName }
        }
    }
}

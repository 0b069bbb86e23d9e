#if canImport(UIKit)
    import Foundation
    public import UIKit

    extension FileStoring {
        /// Saves `image` as a JPEG file at `path`, replacing an existing file.
        ///
        /// - Parameters:
        ///   - image: The image.
        ///   - path: The file's path in the store.
        ///   - compressionQuality: From 0 for the smallest file to 1 for the best image.
        /// - Throws: ``FileStoreError``: `encodingFailed`, `isDirectory`, `notADirectory`,
        ///   `invalidPath`, `directoryCreationFailed` or `writeFailed`. `CancellationError` if the
        ///   task was cancelled before the save began.
        public func saveImage(
            _ image: UIImage, to path: String, compressionQuality: CGFloat = 0.8
        ) async throws {
            try await save(
                encoded: image.jpegData(compressionQuality: compressionQuality), to: path)
        }

        /// Saves `image` as a PNG file at `path`, replacing an existing file.
        ///
        /// The pixels are turned upright, because `pngData()` drops the orientation that photographs of a
        /// camera have; on watchOS, which has no renderer of images, they stay as they are.
        ///
        /// - Throws: ``FileStoreError``: `encodingFailed`, `isDirectory`, `notADirectory`,
        ///   `invalidPath`, `directoryCreationFailed` or `writeFailed`. `CancellationError` if the
        ///   task was cancelled before the save began.
        public func saveImageAsPNG(_ image: UIImage, to path: String) async throws {
            try await save(encoded: image.upright.pngData(), to: path)
        }

        /// The image in the file at `path`.
        ///
        /// - Throws: ``FileStoreError``: `decodingFailed`, `fileNotFound`, `isDirectory`,
        ///   `notADirectory`, `invalidPath` or `readFailed`. `CancellationError` if the task was
        ///   cancelled before the file was opened.
        public func loadImage(_ path: String) async throws -> UIImage {
            guard let image = UIImage(data: try await load(path)) else {
                throw FileStoreError.decodingFailed(path: path, underlying: "it is not an image")
            }
            return image
        }

        private func save(encoded: Data?, to path: String) async throws {
            guard let encoded else {
                throw FileStoreError.encodingFailed(
                    path: path, underlying: "the image has no pixels")
            }
            try await save(encoded, to: path, overwrite: true)
        }
    }

    extension UIImage {
        /// The image with its pixels upright: drawn anew if its orientation turns them.
        fileprivate var upright: UIImage {
            #if os(watchOS)
                return self
            #else
                if imageOrientation == .up { return self }
                let renderer = UIGraphicsImageRenderer(size: size, format: imageRendererFormat)
                return renderer.image { _ in draw(at: .zero) }
            #endif
        }
    }
#endif

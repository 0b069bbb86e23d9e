// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests are compiled one module at a time: what incremental compilation records about the macros of a test
// takes longer than all else. A module that is emitted on its own is type-checked twice.
let bulkTestSettings =
    settings + [
        .unsafeFlags(["-no-emit-module-separately-wmo"]),
        .unsafeFlags(
            ["-wmo", "-num-threads", "1", "-disable-batch-mode"], .when(configuration: .debug)),
    ]

// In release only the library, its model and the tests that play in bulk are worth optimising: most tests
// run once, and optimising them takes longer than all of them.
let testSettings =
    bulkTestSettings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// `.ci/rules` builds the library dozens of times, so it builds only the targets of the tests that it runs.
let chosenTargets: Set<String>? =
    Context.environment["DIRECTORY_TARGETS"] == "engine"
    ? [
        "EngineTests", "ExplorerTests", "SimulatorTests", "StressTests", "TransactionTests",
        "DirectoryTestSupport", "StoreModel", "TestSettings", "TestSupport", "test-process",
        "CPosix", "FileSystem", "JSONCodec", "Directory", "FileStore",
    ] : nil

func isChosen(_ name: String) -> Bool { chosenTargets?.contains(name) ?? true }

// What the three test targets of the product need.
let directoryTestDependencies: [Target.Dependency] = [
    "Directory", "DirectoryTestSupport", "FileSystem", "JSONCodec", "StoreModel", "TestSupport",
    "test-process",
]

// What a library says to the App Store about the calls it makes. Only Xcode reads it; elsewhere a
// bundle would only cost each program a file.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if canImport(Darwin)
    let resources: [Resource]? = [.copy(privacyManifest)]
    let unused: [String] = []
#else
    let resources: [Resource]? = nil
    let unused = [privacyManifest]
#endif

let package = Package(
    name: "Directory",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        "Directory", "DirectoryReplicas", "AppFolders", "Preferences", "FileStore",
    ].filter(isChosen).map { .library(name: $0, targets: [$0]) },
    targets: ([
        .target(name: "CPosix"),
        .target(name: "FileSystem", dependencies: ["CPosix"], swiftSettings: settings),
        .target(name: "JSONCodec", swiftSettings: settings),
        .target(
            name: "Directory", dependencies: ["FileSystem", "JSONCodec"], exclude: unused,
            resources: resources, swiftSettings: settings),
        .target(
            name: "DirectoryReplicas", dependencies: ["Directory", "FileSystem", "JSONCodec"],
            exclude: unused, resources: resources, swiftSettings: settings),
        .target(
            name: "AppFolders", dependencies: ["FileSystem"], exclude: unused,
            resources: resources, swiftSettings: settings),
        .target(
            name: "Preferences", dependencies: ["FileSystem"], exclude: unused,
            resources: resources, swiftSettings: settings),
        .target(
            name: "FileStore", dependencies: ["FileSystem"], exclude: unused,
            resources: resources, swiftSettings: settings),
        .executableTarget(
            name: "directory-demo",
            dependencies: [
                "Directory", "DirectoryReplicas", "FileStore", "AppFolders", "Preferences",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "directory-bench", dependencies: ["Directory", "DirectoryReplicas", "FileStore"],
            swiftSettings: settings),
        .target(name: "TestSettings", path: "Tests/TestSettings"),
        .target(
            name: "TestSupport", dependencies: ["FileSystem", "TestSettings"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "FileSystemTests", dependencies: ["FileSystem", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "JSONCodecTests", dependencies: ["JSONCodec", "TestSupport"],
            swiftSettings: testSettings),
        .target(
            name: "StoreModel", dependencies: ["Directory", "FileSystem", "TestSupport"],
            path: "Tests/StoreModel", swiftSettings: settings),
        .executableTarget(
            name: "test-process",
            dependencies: ["Directory", "FileStore", "StoreModel", "TestSupport"],
            path: "Tests/TestProcess", swiftSettings: settings),
        .target(
            name: "DirectoryTestSupport",
            dependencies: ["Directory", "FileSystem", "StoreModel", "TestSupport"],
            path: "Tests/DirectoryTestSupport", swiftSettings: settings),
        .testTarget(
            name: "DirectoryTests",
            dependencies: directoryTestDependencies + [
                "AppFolders", "DirectoryReplicas", "FileStore", "Preferences",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "EngineTests", dependencies: directoryTestDependencies,
            swiftSettings: testSettings),
        .testTarget(
            name: "TransactionTests", dependencies: directoryTestDependencies,
            swiftSettings: testSettings),
        .testTarget(
            name: "MemoryVolumeSample", dependencies: ["Directory"],
            path: "Tests/Samples/MemoryVolume", swiftSettings: bulkTestSettings),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Directory", "DirectoryTestSupport", "FileSystem", "StoreModel", "TestSupport",
            ],
            swiftSettings: bulkTestSettings),
        .testTarget(
            name: "ExplorerTests",
            dependencies: ["Directory", "FileSystem", "StoreModel", "TestSupport"],
            swiftSettings: bulkTestSettings),
        .testTarget(
            name: "ReplicaTests",
            dependencies: [
                "Directory", "DirectoryReplicas", "FileSystem", "JSONCodec", "TestSupport",
            ],
            swiftSettings: bulkTestSettings),
        .testTarget(
            name: "StressTests",
            dependencies: ["Directory", "StoreModel", "TestSupport", "test-process"],
            swiftSettings: bulkTestSettings),
        .executableTarget(
            name: "sample-evolution", dependencies: ["Directory"], path: "Tests/Samples/Evolution",
            swiftSettings: settings),
        .executableTarget(
            name: "sample-trip-log", dependencies: ["Directory"], path: "Tests/Samples/TripLog",
            swiftSettings: settings),
        .executableTarget(
            name: "sample-errands", dependencies: ["Directory"], path: "Tests/Samples/Errands",
            swiftSettings: settings),
        .executableTarget(
            name: "sample-main-actor", dependencies: ["Directory"], path: "Tests/Samples/MainActor",
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "SamplesTests",
            dependencies: [
                "Directory", "TestSupport", "sample-errands", "sample-evolution",
                "sample-main-actor", "sample-trip-log",
            ],
            path: "Tests/Samples/Tests", swiftSettings: testSettings),
        .testTarget(
            name: "AppFoldersTests", dependencies: ["AppFolders", "FileSystem", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "PreferencesTests", dependencies: ["FileSystem", "Preferences", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "DemoTests", dependencies: ["directory-demo", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "FileStoreTests",
            dependencies: ["FileStore", "FileSystem", "TestSupport", "test-process"],
            swiftSettings: testSettings),
    ] as [Target]).filter { isChosen($0.name) }
)

/// What a client knows of a server's attributes, and how it can tell whether that still holds.
public struct KnownDatabase: Hashable, Sendable {
    /// The attributes.
    public var database: DiscoveredDatabase
    /// The server's Database Hash when they were discovered (Core Specification, Vol 3, Part G, 7.3); nil when the server
    /// has none.
    public var hash: DatabaseHash?

    public init(_ database: DiscoveredDatabase, hash: DatabaseHash?) {
        self.database = database
        self.hash = hash
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title Where audit logs publish their newest Merkle root, so that nobody can rewrite or shorten one unseen.
/// @notice A log is named by SHA-256 of its checkpoint origin. Whether two roots belong to the same growing tree is
///         proven off chain (RFC 6962); here a fork shows because the root before has to be named.
contract AuditAnchor {
    struct Head {
        bytes32 root;
        uint64 size;
        uint8 flags;
    }

    /// @notice Bit 0 of `flags`: the log is kept in a simulated TEE. The other bits are not used yet.
    uint8 public constant SIMULATED = 1;

    /// @notice The only account that publishes.
    address public publisher;

    mapping(bytes32 logId => Head) private heads;

    event RootPublished(bytes32 indexed logId, uint64 size, bytes32 root, uint8 flags);
    event PublisherChanged(address indexed publisher);

    error NotPublisher();
    error SizeNotLarger(uint64 stored);
    error PrevRootNotStored(bytes32 stored);

    modifier onlyPublisher() {
        if (msg.sender != publisher) revert NotPublisher();
        _;
    }

    constructor(address publisher_) {
        publisher = publisher_;
    }

    /// @notice Stores a log's newest root. `prevRoot` is the one before, zero for the first.
    function publish(bytes32 logId, uint64 size, bytes32 root, bytes32 prevRoot, uint8 flags) external onlyPublisher {
        Head storage head = heads[logId];
        if (size <= head.size) revert SizeNotLarger(head.size);
        if (prevRoot != head.root) revert PrevRootNotStored(head.root);
        heads[logId] = Head(root, size, flags);
        emit RootPublished(logId, size, root, flags);
    }

    /// @notice Makes another account the publisher, for a change of its key.
    function handOver(address next) external onlyPublisher {
        publisher = next;
        emit PublisherChanged(next);
    }

    /// @notice The newest root; all zero before the first.
    function latest(bytes32 logId) external view returns (uint64 size, bytes32 root, uint8 flags) {
        Head storage head = heads[logId];
        return (head.size, head.root, head.flags);
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title The smallest ERC-1271 wallet: what its one owner signed, it has signed.
/// @dev For tests only, and to be deployed: placed by `anvil_setCode` it would have no owner. It binds nothing of its
///      own into the hash, so one signature holds for every wallet of that owner; a real wallet binds its address in.
contract OneOwnerWallet {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;
    uint256 private constant HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice The magic value for a 65-byte, low-s signature by the owner over `hash`; never reverts for any other.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return INVALID;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_CURVE_ORDER) return INVALID;
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        // ecrecover answers zero for garbage, and a wallet made with no owner would take that for its owner.
        return signer != address(0) && signer == owner ? VALID : INVALID;
    }
}

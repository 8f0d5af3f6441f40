// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title A list of sanctioned addresses on chain, in the form in which Chainalysis publishes its own.
/// @dev For tests only: its one owner names whom it likes.
contract SanctionsList {
    address public immutable owner = msg.sender;
    mapping(address => bool) private sanctioned;

    function addToSanctionsList(address[] calldata addresses) external {
        require(msg.sender == owner, "only the owner");
        for (uint256 i = 0; i < addresses.length; i++) sanctioned[addresses[i]] = true;
    }

    function isSanctioned(address account) external view returns (bool) {
        return sanctioned[account];
    }
}

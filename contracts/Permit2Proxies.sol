// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @title What Permit2 is asked for: its own types and its one function that these contracts call.
interface SignatureTransfer {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

interface TokenWithPermit {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

/// @title Stand-ins for x402's two proxies on a local chain, for tests alone: never for a public chain.
/// @notice Written from the ABI and types that `@x402/evm` publishes, and from the scheme's specification. They answer on the
///         same wire, and refuse what is said to be refused. What the real ones do beyond that, these cannot show.
/// @dev The runtime code is placed by `anvil_setCode`, which runs no constructor: everything is a constant.
abstract contract Permit2ProxyStandIn {
    address public constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    event Settled();
    event SettledWithPermit();

    error InvalidAmount();
    error InvalidOwner();
    error InvalidDestination();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();

    /// @dev Whether the token took the approval does not matter: it may have been brought here by somebody else before.
    function approve(
        SignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        EIP2612Permit calldata approval
    ) internal {
        if (approval.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        (uint256 deadline, uint8 v, bytes32 r, bytes32 s) = (approval.deadline, approval.v, approval.r, approval.s);
        try TokenWithPermit(permit.permitted.token).permit(owner, PERMIT2, approval.value, deadline, v, r, s) {} catch {}
    }

    struct Order {
        uint256 amount;
        address owner;
        address to;
        uint256 validAfter;
        bytes32 witness;
        string witnessType;
    }

    function move(
        SignatureTransfer.PermitTransferFrom calldata permit,
        Order memory order,
        bytes calldata signature
    ) internal {
        if (order.amount == 0) revert InvalidAmount();
        if (order.owner == address(0)) revert InvalidOwner();
        if (order.to == address(0)) revert InvalidDestination();
        if (block.timestamp < order.validAfter) revert PaymentTooEarly();
        SignatureTransfer(PERMIT2).permitWitnessTransferFrom(
            permit,
            SignatureTransfer.SignatureTransferDetails(order.to, order.amount),
            order.owner,
            order.witness,
            order.witnessType,
            signature
        );
    }
}

/// @title Stands in for x402ExactPermit2Proxy: moves what was permitted, all of it, to whom the payer's witness names.
contract ExactProxyStandIn is Permit2ProxyStandIn {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");

    function settle(
        SignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        pay(permit, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata approval,
        SignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        approve(permit, owner, approval);
        pay(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function pay(
        SignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 hash = keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter));
        move(
            permit,
            Order(permit.permitted.amount, owner, witness.to, witness.validAfter, hash, WITNESS_TYPE_STRING),
            signature
        );
    }
}

/// @title Stands in for x402UptoPermit2Proxy: moves what the facilitator that the payer named says, up to what was permitted.
contract UptoProxyStandIn is Permit2ProxyStandIn {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";
    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,address facilitator,uint256 validAfter)");

    error UnauthorizedFacilitator();
    error AmountExceedsPermitted();

    function settle(
        SignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        check(permit, amount, witness);
        pay(permit, amount, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata approval,
        SignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        check(permit, amount, witness);
        approve(permit, owner, approval);
        pay(permit, amount, owner, witness, signature);
        emit SettledWithPermit();
    }

    function check(
        SignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        Witness calldata witness
    ) private view {
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
    }

    function pay(
        SignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 hash = keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.facilitator, witness.validAfter));
        move(permit, Order(amount, owner, witness.to, witness.validAfter, hash, WITNESS_TYPE_STRING), signature);
    }
}

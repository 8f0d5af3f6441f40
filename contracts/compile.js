// Compiles every contract of this folder into a typed artifact in src/: `node contracts/compile.js`.
// With `--check` it writes nothing, and fails when a committed artifact is not what it would write.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import solc from 'solc';

const folder = new URL('./', import.meta.url);
const artifacts = new URL('src/', folder);
const header = '// Made by `node contracts/compile.js`. Do not edit.';

const settings = {
  optimizer: { enabled: true, runs: 200 },
  // No PUSH0 or later opcodes: the code runs on whatever EVM chain it is put on.
  evmVersion: 'paris',
  // Without the hash of the metadata, the same code gives the same bytes wherever it is compiled.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};

const made = new Map(compile().map((contract) => [fileName(contract), artifact(contract)]));
const committed = readCommitted();
const known = new Set([...made.keys(), ...committed.keys()]);
const stale = [...known].filter((file) => made.get(file) !== committed.get(file));

if (process.argv.includes('--check')) {
  for (const file of stale) {
    console.error(`contracts/src/${file} is not what the compiler makes: run node contracts/compile.js`);
  }
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const file of stale) write(file, made.get(file));
  console.log(`${made.size} contracts compiled by solc ${solc.version()}, ${stale.length} artifacts changed`);
}

/** Every contract of the folder. A warning stops it too, so that none is ever committed. */
function compile() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'));
  const contents = files.map((file) => ({ content: readFileSync(new URL(file, folder), 'utf8') }));
  const sources = Object.fromEntries(files.map((file, index) => [file, contents[index]]));
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));

  if (output.errors) {
    for (const error of output.errors) console.error(error.formattedMessage);
    process.exit(1);
  }
  return Object.values(output.contracts).flatMap((contracts) =>
    Object.entries(contracts)
      // Interfaces, and what others inherit, have no code of their own.
      .filter(([, { evm }]) => evm.bytecode.object !== '')
      .map(([name, { abi, evm }]) => ({ name, abi, evm })),
  );
}

function readCommitted() {
  const files = readdirSync(artifacts).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => [file, readFileSync(new URL(file, artifacts), 'utf8')]);
  return new Map(texts.filter(([, text]) => text.startsWith(header)));
}

/** An artifact whose contract is gone goes too. */
function write(file, text) {
  if (text === undefined) rmSync(new URL(file, artifacts));
  else writeFileSync(new URL(file, artifacts), text);
}

/** TestUSDC becomes test-usdc.ts. */
function fileName({ name }) {
  return `${kebab(name)}.ts`;
}

function kebab(name) {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase();
}

/** TestUSDC is exported as testUsdc. */
function artifact({ name, abi, evm }) {
  const exported = kebab(name).replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
  return `${header}

export const ${exported} = {
  abi: ${printAbi(abi)},
  bytecode:
    '0x${evm.bytecode.object}',
  deployedBytecode:
    '0x${evm.deployedBytecode.object}',
} as const;
`;
}

/** As the formatter would leave it: TypeScript rather than JSON, one parameter a line. */
function printAbi(abi) {
  const items = abi.map((item) => `    {\n      ${printFields(item, '      ').join(',\n      ')},\n    },\n`);
  return `[\n${items.join('')}  ]`;
}

function printParameters(parameters, indent) {
  const printed = parameters.map((parameter) => printParameter(parameter, `${indent}  `));
  const separator = `,\n${indent}  `;
  return printed.length > 1
    ? `[\n${indent}  ${printed.join(separator)},\n${indent}]`
    : `[${printed.join('')}]`;
}

/** A struct has parameters of its own. */
function printParameter(parameter, indent) {
  const fields = printFields(parameter, `${indent}  `);
  return parameter.components === undefined
    ? `{ ${fields.join(', ')} }`
    : `{\n${indent}  ${fields.join(`,\n${indent}  `)},\n${indent}}`;
}

/** Without `internalType`, which is Solidity's own name of a type and read by nobody here. */
function printFields(described, indent) {
  const fields = Object.entries(described).filter(([key]) => key !== 'internalType');
  return fields.map(([key, value]) => `${key}: ${printValue(value, indent)}`);
}

function printValue(value, indent) {
  if (Array.isArray(value)) return printParameters(value, indent);
  return typeof value === 'string' ? `'${value}'` : String(value);
}

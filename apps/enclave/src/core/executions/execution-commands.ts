import { nextPlaceholder } from '@countersign/protocol/control/rotation';
import { fail, ok } from '@countersign/protocol/result';
import type { Handlers } from '../serve.ts';
import type { End } from './end.ts';
import type { RunRequest } from './execution.ts';
import { Executions, type ExecutionParts } from './executions.ts';
import { type Params, paramsHashOf, readParams } from './params.ts';

type ExecutionHandlers = Pick<Handlers, 'control.run' | 'control.conclude'>;

const invalid = (field: string) => fail({ code: 'INVALID_COMMAND', field } as const);

/** The commands that run and end executions, and how to end all that run. */
export function executionHandlers(parts: ExecutionParts): {
  readonly handlers: ExecutionHandlers;
  readonly stop: () => Promise<void>;
} {
  const executions = new Executions(parts);
  const handlers: ExecutionHandlers = {
    'control.run': async (request, body, gone) => {
      const params = readParams(body);
      const paramsHash = params === null ? null : paramsHashOf(params);
      if (params === null || paramsHash === null) return invalid('params');
      if (request.credential !== undefined && request.credential.binding.tenantId !== request.tenantId)
        return invalid('credential');
      if (!fitsNext(request, params)) return invalid('next');
      const ran = await executions.run({ ...request, paramsHash }, params, gone);
      if (!ran.ok) return ran;
      if (ran.value === null) return ok({ reply: { ended: null, durationMs: 0 } });
      const { durationMs } = ran.value;
      return ok({ reply: { ended: replyOf(ran.value), durationMs }, body: Buffer.from(ran.value.data) });
    },
    'control.conclude': async (request, _, gone) => {
      const ended = await executions.conclude(request, gone);
      return ended.ok ? ok({ reply: replyOf(ended.value), body: Buffer.from(ended.value.data) }) : ended;
    },
  };
  return { handlers, stop: () => executions.stop() };
}

/** A next value is one of the credential that the run has, and goes where `params` say that it does. */
function fitsNext({ next, credential, connector: { type } }: RunRequest, params: Params): boolean {
  if (next === undefined) return true;
  const { tenantId, credentialId } = next.binding;
  const isOfSame =
    credential?.binding.tenantId === tenantId && credential.binding.credentialId === credentialId;
  return type === 'http' && isOfSame && params[next.param] === nextPlaceholder;
}

const replyOf = ({ proof, problem, auditId }: End) => {
  if (auditId === null) throw new Error('an end is told before it is recorded');
  return { status: proof.receipt.status, problem, proof, auditId };
};

import { maxFileBytes, maxFiles } from '@countersign/protocol/dashboard/payees';
import { ok } from '@countersign/protocol/result';
import type { DashboardHandlers } from '../callers.ts';
import { putOnRecord } from '../compliance/history.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { showWord } from '../compliance/first-word.ts';
import { whyNotDecided } from '../compliance/why-not.ts';
import { eraseFile } from './erase-file.ts';
import { newId } from '../ids.ts';
import { refusal } from '../refusal.ts';
import { addFile, type Added, findFile, openFile } from './files.ts';
import { notFound, type PayeeParts, showOne } from './answers.ts';

/** The files of records. */
export function fileHandlers({
  pool,
  sealer,
  fourEyes,
  now,
  random,
}: PayeeParts): Pick<DashboardHandlers, 'addPayeeFile' | 'getPayeeFile' | 'erasePayeeFile'> {
  return {
    async addPayeeFile({ params, body, caller: { account } }) {
      if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
      if (sealer === null)
        return refusal(
          'BUSINESS_NOT_FOUND',
          'this dashboard does not accept files because its operator has not set EVIDENCE_KEY, which seals them',
        );
      const payeeId = params['id'] ?? '';
      const file = { ...body, id: newId(random, 'file'), payeeId };
      const { kind } = await addFile(pool, sealer, file, { by: account, fourEyes, now: now() });
      if (kind !== 'done') return whyNotAdded(kind);
      const shown = await showOne(pool, fourEyes, payeeId, now());
      return shown === null ? notFound() : ok({ payee: shown });
    },

    async erasePayeeFile({ params, body: { reason }, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      const file = { id: params['fileId'] ?? '', payeeId: params['id'] ?? '', reason };
      const decided = await eraseFile(pool, file, { by, fourEyes, now: now() });
      if (decided.kind !== 'done' && decided.kind !== 'first')
        return whyNotDecided(decided, 'file not found', 'the file is already erased');
      const shown = await showOne(pool, fourEyes, file.payeeId, now());
      const word = decided.kind === 'first' ? decided.word : undefined;
      return shown === null ? notFound() : ok({ payee: shown, firstWord: showWord(word) });
    },

    async getPayeeFile({ params, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      const file = { id: params['fileId'] ?? '', payeeId: params['id'] ?? '' };
      const found = await findFile(pool, file);
      if (found === null) return refusal('BUSINESS_NOT_FOUND', 'file not found');
      const content = openFile(sealer, file, found);
      if (content === null)
        return refusal('BUSINESS_NOT_FOUND', 'the file is sealed under another EVIDENCE_KEY');
      const { name, mediaType } = found;
      // Before it is shown: what cannot be recorded is not read.
      await putOnRecord(pool, now(), {
        deed: 'read-payee-file',
        by,
        effective: true,
        wallet: null,
        payeeId: file.payeeId,
        detail: { file: file.id },
      });
      return ok({ name, mediaType, content });
    },
  };
}

function whyNotAdded(kind: Exclude<Added['kind'], 'done'>) {
  switch (kind) {
    case 'not-found':
      return notFound();
    case 'settled':
      return refusal('REPEATED_SUBMIT', 'the record is withdrawn');
    case 'full':
      return refusal('REPEATED_SUBMIT', `a record has ${maxFiles} files at most`);
    case 'other-type':
      return refusal(
        'INVALID_PARAM',
        'content: does not start like a file of its mediaType; text must be UTF-8',
      );
    case 'too-large':
      return refusal('INVALID_PARAM', `content: must be ${maxFileBytes} bytes at most`);
  }
}

import { verdicts } from '@countersign/protocol/vault/verdict';
import { type Heard, type Question, readOpinion, type SecondJudge } from '@countersign/review/second-judge';
import { z } from 'zod';

/** A model that speaks like OpenAI's chat completions. */
export type ReviewModel = {
  /** Without `/chat/completions`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
};

const patienceMs = 3000;
const maxBytes = 65_536;

/** Asks the model, and is silent where that fails or takes longer than 3 s. Of what it answers only an opinion is read. */
export const reviewModel =
  (model: ReviewModel): SecondJudge =>
  async (question) => {
    try {
      return await ask(model, question);
    } catch {
      return 'silent';
    }
  };

async function ask({ url, model, key }: ReviewModel, messages: Question): Promise<Heard> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, messages, temperature: 0, response_format }),
    // Another address has not been configured, and is not told the key.
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  });
  const answer = completion.parse(JSON.parse(await textOf(response)));
  return response.ok ? readOpinion(answer.choices[0]?.message.content ?? '') : 'silent';
}

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });

/** Structured outputs: the answer is this JSON and nothing beside it. */
const response_format = {
  type: 'json_schema',
  json_schema: {
    name: 'opinion',
    strict: true,
    schema: {
      type: 'object',
      properties: { verdict: { type: 'string', enum: verdicts }, reason: { type: 'string' } },
      required: ['verdict', 'reason'],
      additionalProperties: false,
    },
  },
};

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

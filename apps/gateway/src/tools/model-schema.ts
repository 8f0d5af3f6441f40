import { z } from 'zod';

/**
 * JSON Schema of a tool in the subset that models' APIs take: OpenAI in strict mode, Gemini, Claude. One of them refuses
 * all tools of a request for one keyword that it does not know, so nothing but types, names and descriptions is told;
 * limits stand in the descriptions, and are kept when the input is read.
 */
export function modelSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...told } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      for (const keyword of untold) delete jsonSchema[keyword];
    },
  });
  return told as { type: 'object'; [keyword: string]: unknown };
}

const untold = [
  'additionalProperties',
  'propertyNames',
  'default',
  'examples',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
] as const;

import { z } from 'zod';

const verdict = z.looseObject({ isValid: z.boolean(), invalidReason: z.string().optional() });
const settlement = z.looseObject({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
});

export type Verdict = z.infer<typeof verdict>;
export type Settlement = z.infer<typeof settlement>;

/** The facilitator as a merchant needs it. Null: no answer that can be trusted; money may have moved. */
export type FacilitatorClient = {
  readonly verify: (order: Order) => Promise<Verdict | null>;
  readonly settle: (order: Order) => Promise<Settlement | null>;
};

/** A PaymentPayload of x402, v1 or v2. */
export type Payment = { readonly x402Version: number; readonly [key: string]: unknown };

/** A payment, what it has to satisfy, and the W3C trace it belongs to. */
export type Order = {
  readonly payment: Payment;
  readonly requirement: object;
  readonly traceparent?: string | undefined;
};

const timeoutMs = 60_000;

/** Talks to an x402 facilitator over HTTP. Never throws. */
export function facilitatorClient(url: URL | string): FacilitatorClient {
  const base = String(url).replace(/\/$/, '');
  return {
    verify: (order) => post(`${base}/verify`, verdict, order),
    settle: (order) => post(`${base}/settle`, settlement, order),
  };
}

async function post<T>(url: string, answer: z.ZodType<T>, order: Order): Promise<T | null> {
  const { payment, requirement, traceparent } = order;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(traceparent !== undefined && { traceparent }) },
      body: JSON.stringify({
        x402Version: payment.x402Version,
        paymentPayload: payment,
        paymentRequirements: requirement,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    // A refusal may come with an error status; what counts is whether it says so in the agreed form.
    const parsed = answer.safeParse(await response.json());
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

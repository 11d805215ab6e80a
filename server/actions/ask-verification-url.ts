import { destinationOf } from '../domain/destination.ts'
import { wasPrompt } from './deliver-callback.ts'
import type { ConcurrencyLimiter, RetryLater } from './ports/concurrency-limiter.ts'
import type { Delivery } from './ports/delivery.ts'
import type { HandshakeQuestion, HandshakeSender } from './ports/handshakes.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import type { Clock } from './ports/clock.ts'

interface AskDeps {
  readonly reference: Pick<ReferenceData, 'merchantById'>
  readonly handshakes: HandshakeSender
  readonly limiter: ConcurrencyLimiter
  readonly clock: Clock
}

/** Calls a merchant's verification URL within its limits. @returns the answer, or when there may be room for the call */
export async function askVerificationUrl(
  { reference, handshakes, limiter, clock }: AskDeps,
  question: Omit<HandshakeQuestion, 'url'>,
): Promise<{
  answered?: { readonly at: Date; readonly answer: Delivery }
  later?: RetryLater & { destination: string }
}> {
  const { merchantId } = question
  const url = (await reference.merchantById(merchantId))?.verificationUrl ?? ''
  const destination = destinationOf(merchantId, 'VERIFICATION')
  let answered: { readonly at: Date; readonly answer: Delivery } | undefined
  const later = await limiter({ host: URL.parse(url)?.host ?? '', merchantId, destination }, async () => async () => {
    const at = clock.now()
    const answer = await handshakes.request({ ...question, url })
    answered = { at, answer }
    return wasPrompt(answer)
  })
  return { ...(answered && { answered }), ...(later && { later: { ...later, destination } }) }
}

/** What is stored of an answer. */
export const attemptOf = ({ durationMs, httpStatus, error }: Delivery, at: Date) => ({
  at,
  durationMs,
  ...(httpStatus !== undefined && { httpStatus }),
  ...(error !== undefined && { error }),
})

/** An answer in the history of a payout. */
export const answerText = (attempt: number, { httpStatus, error }: Delivery): string =>
  `Question ${attempt} to the verification URL: ${httpStatus === undefined ? (error ?? 'no reply') : `HTTP ${httpStatus}`}`

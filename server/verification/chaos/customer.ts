import type { CallReply, Call } from './calls.ts'
import { pause, until } from './patience.ts'

const CUSTOMER_TYPES_AFTER_MS = 1_500
const SANDBOX_OTP = 123456

/**
 * The customer types the OTP until the collection goes on.
 * @param waitMsMax files a complaint when it takes longer than this
 * @param complain reports what no customer should experience
 */
export async function typeOtp(
  call: Call,
  reference: string,
  waitMsMax: number,
  complain: (what: string) => void,
): Promise<void> {
  await pause(CUSTOMER_TYPES_AFTER_MS)
  // Counts each reply, so that a collection that never ends can report what it got.
  const met = new Map<string, number>()
  const meet = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)
  const authorize = createAuthorization(call, reference, { meet, complain })
  await until(
    async () => {
      const found = await call('GET', `/data/transaction/verify/${reference}`)
      if (!found || found.status === 503) {
        meet(`verify ${found?.status ?? 'unanswered'}`)
        return false
      }
      if (found.status !== 200) {
        complain(`verify of ${reference} got ${found.status}: ${found.text}`)
        return true
      }
      const { data } = JSON.parse(found.text) as { data: { transaction_status: string; internal_reference: string } }
      return data.transaction_status !== 'PENDING' || authorize(data.internal_reference)
    },
    waitMsMax,
    `${reference} is authorized`,
  ).catch((error: Error) =>
    complain(`${error.message}; met ${[...met].map(([what, times]) => `${times} × ${what}`).join(', ')}`),
  )
}

/**
 * Types the OTP once.
 * @returns whether that was the last time
 */
function createAuthorization(
  call: Call,
  reference: string,
  { meet, complain }: { meet: (what: string) => void; complain: (what: string) => void },
): (internalReference: string) => Promise<boolean> {
  let mayHaveArrived = false
  const hasArrived = (reply: CallReply | undefined): boolean => {
    // It no longer waits for an OTP: the one whose reply was lost had arrived.
    mayHaveArrived ||= reply?.isRepeated !== false
    if (reply?.status === 409 && mayHaveArrived) return true
    mayHaveArrived ||= reply?.status !== 409
    return false
  }
  return async (internalReference) => {
    const reply = await call('POST', '/collections/authorize', {
      internal_reference: internalReference,
      otp: SANDBOX_OTP,
    })
    meet(`authorize ${reply?.status ?? 'unanswered'}`)
    if (hasArrived(reply)) return true
    if (!reply || [409, 503].includes(reply.status)) return false
    if (reply.status !== 202) complain(`authorize of ${reference} got ${reply.status}: ${reply.text}`)
    return true
  }
}

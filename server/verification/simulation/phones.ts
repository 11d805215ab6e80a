import type { OneTimePasswords } from '../../actions/ports/one-time-passwords.ts'
import type { Choices } from './choices.ts'
import type { Member, Scheduler } from './scheduler.ts'

interface Message {
  readonly account: string
  readonly otp: number
  readonly atMs: number
}

/**
 * The OTP of a collection's n-th send: different for each send, and the same for every caller. It has more digits than
 * a real one, so that no two are the same.
 */
export function passwordOf(internalReference: string, send: number): number {
  let hash = send
  for (let index = 0; index < internalReference.length; index += 1)
    hash = (Math.imul(hash, 31) + internalReference.charCodeAt(index)) >>> 0
  return 100_000 + hash
}

/**
 * The message service and the customers' phones: messages get lost, arrive late, and arrive although the service has
 * not replied.
 */
export class Phones {
  readonly messages: Message[] = []
  private readonly scheduler: Scheduler
  private readonly choices: Choices

  constructor(scheduler: Scheduler, choices: Choices) {
    this.scheduler = scheduler
    this.choices = choices
  }

  /** The connection of one process to the message service. */
  otpsOf(member: Member): OneTimePasswords {
    return {
      issue: passwordOf,
      digest: (reference, otp) => new TextEncoder().encode(`${reference}:${otp}`),
      send: async (account, otp) => {
        await this.scheduler.step(member, 'network', `sends a password to ${account}`)
        const lost = this.scheduler.hostile ? this.choices.rarely(0.25, 3) : 0
        if (lost !== 1) this.messages.push({ account, otp, atMs: this.scheduler.nowMs })
        await this.scheduler.step(member, 'network', `receives ${lost === 0 ? 'an acceptance' : 'no reply'} for an OTP`)
        if (lost !== 0) throw new Error('the message service did not answer (simulated)')
      },
    }
  }

  /** The newest OTP that has arrived for a collection; undefined while none has. */
  newest(internalReference: string, sendsMax: number): number | undefined {
    const passwords = Array.from({ length: sendsMax }, (_, index) => passwordOf(internalReference, index + 1))
    return this.messages.findLast(({ otp }) => passwords.includes(otp))?.otp
  }
}

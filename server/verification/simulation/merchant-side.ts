import type { CallbackSender, Delivery } from '../../actions/ports/delivery.ts'
import type { HandshakeSender } from '../../actions/ports/handshakes.ts'
import { present } from '../../domain/present.ts'
import type { Choices } from './choices.ts'
import type { Member, Scheduler } from './scheduler.ts'

/** The content of one callback to a merchant. */
interface ReceivedWebhook {
  readonly webhookId: string
  readonly body: string
  /** When its attempt began. */
  readonly begunMs: number
}

/**
 * The servers of all merchants: they confirm and reject, hang, reply late, and receive callbacks whose acknowledgement
 * is lost.
 */
export class MerchantSide {
  readonly received: ReceivedWebhook[] = []
  private readonly scheduler: Scheduler
  private readonly choices: Choices

  constructor(scheduler: Scheduler, choices: Choices) {
    this.scheduler = scheduler
    this.choices = choices
  }

  handshakesOf(member: Member): HandshakeSender {
    return {
      request: async ({ merchantReference }) => {
        await this.scheduler.step(member, 'network', `queries whether ${merchantReference} is the merchant's`)
        const answer = await this.answer(member, [
          { httpStatus: 200 },
          { httpStatus: 404 },
          { httpStatus: 503 },
          { error: 'no reply' },
        ])
        await this.scheduler.step(
          member,
          'network',
          `receives ${answer.httpStatus ?? answer.error} about ${merchantReference}`,
        )
        return answer
      },
    }
  }

  senderOf(member: Member): CallbackSender {
    return {
      prepare: async (callback) => async () => {
        const begunMs = this.scheduler.nowMs
        await this.scheduler.step(member, 'network', `sends callback ${callback.id}`)
        const answer = await this.answer(member, [
          { httpStatus: 200 },
          { httpStatus: 500 },
          { error: 'no reply' },
          { error: 'the answer was lost' },
        ])
        if (answer.httpStatus === 200 || answer.error === 'the answer was lost')
          this.received.push({ webhookId: callback.webhookId, body: callback.body, begunMs })
        await this.scheduler.step(
          member,
          'network',
          `receives ${answer.httpStatus ?? answer.error} about callback ${callback.id}`,
        )
        return answer
      },
    }
  }

  private async answer(member: Member, answers: readonly Omit<Delivery, 'durationMs'>[]): Promise<Delivery> {
    const { hostile, nowMs } = this.scheduler
    const answer = hostile ? this.choices.rarelyOf(0.25, answers) : present(answers[0], 'an answer')
    // A late reply arrives long after its lease has ended.
    const takesMs = hostile ? this.choices.rarelyOf(0.4, [0, 31_000, 36_000, 45_000, 4_000]) : 0
    if (takesMs > 0) await new Promise<void>((resolve) => void this.scheduler.after(takesMs, resolve, member))
    return { ...answer, durationMs: this.scheduler.nowMs - nowMs }
  }
}

import { WalletTooLow } from '../../actions/ports/store.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Choices } from './choices.ts'
import type { SimulatedGateway } from './gateway.ts'
import { isUnknown, PoisonJobError, type SimulatedDeps } from './process.ts'

export { MINUTE, SECOND } from './spans.ts'
export const TRIES_MAX = 40
export const AGAIN_MS = 700

/** Base of all scripts: the gateway as seen from outside, and the choices of the schedule. */
export class Stage {
  readonly gateway: SimulatedGateway
  readonly choices: Choices

  constructor(gateway: SimulatedGateway, choices: Choices) {
    this.gateway = gateway
    this.choices = choices
  }

  /** Runs on the `n`th process of the gateway, or the next living one. @throws ProcessDied, and what `run` throws */
  async served<Value>(n: number, run: (deps: SimulatedDeps) => Promise<Value>): Promise<Value> {
    return this.gateway.serving(n).serve(run)
  }

  /** Retries while the outcome is unknown, up to `TRIES_MAX` times: clients retry when a process has died. */
  async insist<Value>(run: (deps: SimulatedDeps) => Promise<Value>): Promise<Value | undefined> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      try {
        return await this.served(this.choices.among(3), run)
      } catch (error) {
        if (!isUnknown(error)) throw error
        await this.gateway.scheduler.sleep(AGAIN_MS)
      }
    }
    return undefined
  }

  /**
   * Not repeated when its outcome is unknown: it could be booked twice, and that would be the fault of staff.
   * @param amount in the units that merchants use
   */
  async deposit(merchantId: bigint, amount: bigint): Promise<void> {
    const { currency, unitMinor } = this.gateway.reference.market
    const transfer = depositTransfer(merchantId, currency, amount * unitMinor)
    await this.served(this.choices.among(3), ({ store, clock }) =>
      store.transaction((unit) => unit.book([transfer], clock.now())),
    ).catch((error: unknown) => {
      if (!isUnknown(error)) throw error
    })
  }
}

/** For scripts whose users accept a refusal. @throws anything else */
export const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof Refusal) && !(error instanceof PoisonJobError)) throw error
  return undefined
}

/** For staff whose command fails on a low balance, or gets no reply. @throws anything else */
export const ignoreTooLow = (error: unknown): void => {
  if (!(error instanceof WalletTooLow) && !isUnknown(error)) throw error
}

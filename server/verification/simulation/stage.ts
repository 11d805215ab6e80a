import { WalletTooLow } from '../../actions/ports/store.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Choices } from './choices.ts'
import type { SimulatedGateway } from './gateway.ts'
import { isUnknown, PoisonJobError, ProcessDied, type SimulatedDeps } from './process.ts'

export { MINUTE, SECOND } from './spans.ts'
export const TRIES_MAX = 40
export const AGAIN_MS = 700

/** What every script has: the gateway as one meets it from outside, and the choices of the schedule. */
export class Stage {
  readonly gateway: SimulatedGateway
  readonly choices: Choices

  constructor(gateway: SimulatedGateway, choices: Choices) {
    this.gateway = gateway
    this.choices = choices
  }

  /** By a process of the gateway: the `n`th, or the next one that lives. @throws ProcessDied, and what `run` throws */
  async served<Value>(n: number, run: (deps: SimulatedDeps) => Promise<Value>): Promise<Value> {
    const process = this.gateway.process(n)
    if (!process) throw new ProcessDied('every process')
    return process.serve(run)
  }

  /** As often as it takes: nobody gives up because a process has died. */
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

  /** @param amount in the units that merchants name. Not sent again when its outcome is unknown: it could be booked twice, and that would be the operator's fault. */
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

/** For scripts whose people take a refusal as it is. @throws anything else */
export const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof Refusal) && !(error instanceof PoisonJobError)) throw error
  return undefined
}

/** For operators who find too little in a wallet, or no answer. @throws anything else */
export const ignoreTooLow = (error: unknown): void => {
  if (!(error instanceof WalletTooLow) && !isUnknown(error)) throw error
}

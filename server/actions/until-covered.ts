import { WalletFilled, WalletTooLow } from './ports/store.ts'

/**
 * Each failed try means that another commit has changed the same wallet. After this many the job fails and is retried.
 */
const TRIES_MAX = 10

/**
 * Optimistic concurrency: runs a commit that decides by balances read without a lock. The commit fails if a wallet
 * would fall below zero, or if a wallet that did not cover something holds more by then. Then everything is done again
 * at once: another commit has debited or filled the same wallet in the meantime, which is no error and needs no
 * backoff.
 */
export async function untilCovered<Result>(commit: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit()
    } catch (error) {
      if (!isJudgedAgain(error) || tries >= TRIES_MAX) throw error
    }
  }
}

const isJudgedAgain = (error: unknown): boolean => error instanceof WalletTooLow || error instanceof WalletFilled

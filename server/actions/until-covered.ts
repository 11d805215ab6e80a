import { WalletFilled, WalletTooLow } from './ports/store.ts'

/**
 * Each try that fails means that somebody else has had a turn at the same wallet. What has none in so many is left to
 * the work loop.
 */
const TRIES_MAX = 10

/**
 * Runs a commit that judges by balances that it read without a lock. The commit itself refuses a wallet below zero, and
 * one that holds more than what was not covered was judged by; then all of it is done again at once: somebody else took
 * from the same wallet or filled it in the meantime, which is no fault and nothing to wait for.
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

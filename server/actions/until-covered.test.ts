import { expect, test } from 'vitest'
import { StorageUnavailable, WalletFilled, WalletTooLow } from './ports/store.ts'
import { untilCovered } from './until-covered.ts'

/** Fails this many times before it commits. */
function commitAfter(failures: number, error: Error) {
  const commit = async (): Promise<string> => {
    commit.tries += 1
    if (commit.tries <= failures) throw error
    return 'committed'
  }
  commit.tries = 0
  return commit
}

test.each([new WalletTooLow(new Error('below zero')), new WalletFilled()])(
  'judges a commit again at once when its wallet changed meanwhile: %s',
  async (error) => {
    const commit = commitAfter(3, error)
    expect(await untilCovered(commit)).toBe('committed')
    expect(commit.tries).toBe(4)
  },
)

test('leaves the job to the queue after ten tries', async () => {
  const error = new WalletTooLow(new Error('below zero'))
  const commit = commitAfter(Infinity, error)
  await expect(untilCovered(commit)).rejects.toBe(error)
  expect(commit.tries).toBe(10)
})

test.each([new StorageUnavailable(new Error('away')), new Error('a fault of ours')])(
  'any other failure is reported at once: %s',
  async (error) => {
    const commit = commitAfter(1, error)
    await expect(untilCovered(commit)).rejects.toBe(error)
    expect(commit.tries).toBe(1)
  },
)

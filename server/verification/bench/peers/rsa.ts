import { availableParallelism } from 'node:os'
import { generateKeyPairSync, sign } from 'node:crypto'
import { promisify } from 'node:util'

const signAsync = promisify(sign)
const TEXT = 'transaction.completed:MCTREFT2WMNWZ23SBN6Y:DUSUPAYRMGRXNNYBWATKJ:COLLECTION:COMPLETED'

/** How many RSA-2048 signatures this machine makes when all its cores do nothing else: every callback needs one. */
export async function measureRsaSigning(seconds: number): Promise<{ readonly perSecond: number }> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const text = Buffer.from(TEXT)
  const startedAt = performance.now()
  let signed = 0
  // Two more than there are cores, so that no core waits for its next signature.
  await Promise.all(
    Array.from({ length: availableParallelism() + 2 }, async () => {
      for (; performance.now() - startedAt < seconds * 1000; signed += 1) await signAsync('sha256', text, privateKey)
    }),
  )
  return { perSecond: signed / ((performance.now() - startedAt) / 1000) }
}

import type { Fault, ObservedExchange } from './observed-exchange.ts'
import { noteKey, rsaFaults, type ServedKeys } from './rsa-keys/rsa-faults.ts'
import type { Judging, RecordedServer, Rule } from './rule.ts'
import { createMessageReader, type SignedMessage } from './signatures/signed-messages.ts'

/** Bound on messages that wait until the key of their id is fetched; later ones are not judged. */
const WAITING_MAX = 2_000

/** Verifies each RSA signature with the key that the server serves for its id, whenever that is fetched. */
function rsaSignatureJudging({ contract }: RecordedServer): Judging {
  const read = createMessageReader(contract)
  const keys: ServedKeys = new Map()
  let waiting: (readonly [SignedMessage, ObservedExchange])[] = []
  const judged = (message: SignedMessage, seen: ObservedExchange): readonly Fault[] => {
    const faults = rsaFaults(message, keys, seen)
    if (faults === undefined && waiting.length < WAITING_MAX) waiting.push([message, seen])
    return faults ?? []
  }
  return {
    each: (seen) => {
      const own = read(seen).flatMap((message) => judged(message, seen))
      if (noteKey(keys, seen) === undefined) return own
      const before = waiting
      waiting = []
      return [...own, ...before.flatMap((each) => judged(...each))]
    },
    end: () => (waiting.length === 0 ? [] : { notJudged: 'the recording has no reply with the RSA key of a message' }),
  }
}

export const rsaSignaturesRule: Rule = {
  name: 'RSA signatures',
  reason: 'Each RSA signature verifies with the key that is served by the id that it names.',
  plantedFault: 'signs-with-pss',
  judging: rsaSignatureJudging,
}

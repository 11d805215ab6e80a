import type { Fault, ObservedExchange } from '../observed-exchange.ts'
import { isRsaSignature } from '../signatures/digests.ts'
import type { SignedMessage } from '../signatures/signed-messages.ts'
import type { ServedKeys } from './served-keys.ts'

const KEY_ID = /^[0-9a-f]{16}$/

/** @returns undefined: the key of its id is not known yet */
export function rsaFaults(
  { rsa, rsaKeyId: id = '', text, name, about }: SignedMessage,
  keys: ServedKeys,
  seen: ObservedExchange,
): readonly Fault[] | undefined {
  if (rsa === undefined || text === undefined) return []
  const key = keys.get(id)
  const fault = (rule: string, what: string): readonly Fault[] => [{ rule: `${rule} of ${about}`, what, about, seen }]
  if (!KEY_ID.test(id))
    return fault('rsa key id', `${name} names the RSA key ${JSON.stringify(id)}: an id is 16 hexadecimal digits`)
  if (key === undefined) return undefined
  if (key === 'none') return fault('rsa key', `${name} names the RSA key ${id}, and none is served by that id`)
  return isRsaSignature(rsa, text, key)
    ? []
    : fault(
        'rsa',
        `the RSA signature of ${name} about ${text} does not verify with the key ${id} that it names: it must be RSA (PKCS#1 v1.5, SHA-256) over event:merchant_reference:internal_reference:transaction_type:transaction_status`,
      )
}

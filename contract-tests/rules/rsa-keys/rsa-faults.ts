import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Fault, ObservedExchange } from '../observed-exchange.ts'
import { isRsaSignature } from '../signatures/digests.ts'
import type { SignedMessage } from '../signatures/signed-messages.ts'
import { KEY_BY_ID, rsaKeyIn } from './pem.ts'

const KEY_ID = /^[0-9a-f]{16}$/

/** The keys that a server serves by their ids; `none` for an id that it does not know. */
export type ServedKeys = Map<string, KeyObject | 'none'>

/** @returns the id of a key that this reply serves, or refuses */
export function noteKey(keys: ServedKeys, { direction, path, exchange }: ObservedExchange): string | undefined {
  const id = KEY_BY_ID.exec(path)?.[1]
  const { status, body } = exchange.reply
  if (id === undefined || direction !== 'asked' || exchange.request.method !== 'GET') return undefined
  const pem = body.toString('latin1')
  if (status === 200 && typeof rsaKeyIn(pem) !== 'string') keys.set(id, createPublicKey(pem))
  else if (status === 404 && !keys.has(id)) keys.set(id, 'none')
  return keys.has(id) ? id : undefined
}

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

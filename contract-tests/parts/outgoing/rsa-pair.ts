import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { NEWEST, rsaKeyIn } from '../../rules/rsa-keys/pem.ts'
import type { FindingNotes } from './finding-notes.ts'

const ABOUT = 'RSA keys'
const NOBODYS = '0123456789abcdef'
const byId = (id: string): string => `/.well-known/malipo-rsa/${id}.pem`
const get = (path: string): WireRequest => wireRequest('GET', path, {})

/** The current signing key equals the key with its id, and an unknown id has none. @returns the number of requests */
export async function comparePair({ url }: Target, noted: FindingNotes): Promise<number> {
  const request = (path: string): Promise<WireReply> => passOn(new URL(url), get(path))
  const newest = await request(NEWEST)
  const read = rsaKeyIn(newest.body.toString('latin1'))
  if (newest.status !== 200 || typeof read === 'string') {
    const fault = typeof read === 'string' && newest.status === 200 ? read : `is answered ${newest.status}, not 200`
    const what = `${NEWEST} ${fault}`
    noted.note('newest', { about: ABOUT, what }, get(NEWEST))
    return 1
  }
  const same = await request(byId(read.id))
  if (same.status !== 200 || !same.body.equals(newest.body)) {
    const what = `the RSA key that signs now is another one, or none, by its own id (HTTP ${same.status})`
    noted.note('pair', { about: ABOUT, what }, get(byId(read.id)))
  }
  const others = [byId(NOBODYS), ...almost(read.id)]
  for (const path of others) {
    const none = await request(path)
    if (none.status === 404 && fieldsOf(jsonOf(none.body)).code === 404) continue
    const what = `an RSA key of an id that never was (${path}) is answered ${none.status}, not 404 in the envelope`
    noted.note('nobody', { about: ABOUT, what }, get(path))
  }
  return 2 + others.length
}

/** An id is its 16 digits, in lower case, and nothing else. */
const almost = (id: string): readonly string[] =>
  [id.toUpperCase(), id.slice(0, -1), `${id}0`, `0${id}`, `0x${id}`, `${id}.pem`, `%20${id}`, '', '*', 'current']
    .filter((other) => other !== id)
    .map(byId)

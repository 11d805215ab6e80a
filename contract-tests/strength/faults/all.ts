import { present } from '../../harness/part.ts'
import { additionRows } from './additions.ts'
import { byteRows } from './bytes.ts'
import { callbackRows } from './callbacks.ts'
import { currencyRows } from './currencies.ts'
import { faultsOf, KINDS, type ContractFault, type FaultRows, type Kind, type TrafficPlant } from './fault.ts'
import { handshakeRows } from './handshake.ts'
import { inputRows } from './incoming.ts'
import { keyRows } from './keys.ts'
import { limitRows } from './limits.ts'
import { merchantRows } from './merchants.ts'
import { moneyRows } from './money.ts'
import { optionRows } from './options.ts'
import { outgoingRows } from './outgoing.ts'
import { redirectRows } from './redirect.ts'
import { referenceRows } from './references.ts'
import { replyRows } from './replies.ts'
import { requestRows } from './requests.ts'
import { rsaRows } from './rsa.ts'
import { stateRows } from './states.ts'
import { suspensionRows } from './suspension.ts'
import { wordRows } from './words.ts'

const ROWS: Readonly<Record<Kind, FaultRows>> = {
  keys: keyRows,
  requests: requestRows,
  replies: replyRows,
  references: referenceRows,
  money: moneyRows,
  states: stateRows,
  callbacks: callbackRows,
  handshake: handshakeRows,
  redirect: redirectRows,
  bytes: byteRows,
  merchants: merchantRows,
  options: optionRows,
  limits: limitRows,
  words: wordRows,
  outgoing: outgoingRows,
  incoming: inputRows,
  currencies: currencyRows,
  rsa: rsaRows,
  additions: additionRows,
  suspension: suspensionRows,
}

/** Every planted fault that the contract suite finds. */
export const FAULTS: readonly ContractFault[] = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  faultsOf(kind, ROWS[kind]),
)

/** For a part's own tests, which choose the faults in traffic that it must find. */
export function faultNamed(name: string): { readonly plant: TrafficPlant['start'] } {
  const { plant } = present(
    FAULTS.find((fault) => fault.name === name),
    `planted fault ${name}`,
  )
  if (plant.in !== 'traffic') throw new Error(`${name} is not planted in traffic`)
  return { plant: plant.start }
}

import { describe } from 'vitest'
import { someByDay } from '../testing/by-night.ts'
import { TOPOLOGIES } from '../testing/topology.ts'
import { collections } from './topologies/collections.ts'
import { inTheEnd } from './topologies/in-the-end.ts'
import { oneGateway } from './topologies/one-gateway.ts'
import { oneTimePasswords } from './topologies/one-time-passwords.ts'
import { operatorCommands } from './topologies/operator-commands.ts'
import { payouts } from './topologies/payouts.ts'
import { testedSystem } from './topologies/tested-system.ts'

// What merchants and customers are promised holds however the gateway is spread over processes: real `malipo serve`
// processes on one PostgreSQL, asked in turn, judged by what a merchant receives and by the simulated operators' own
// book.

// By day the one that shares more; what one process does is also in every other file of this folder.
describe.each(someByDay('topologies', TOPOLOGIES.toReversed()))('$name', (topology) => {
  const tested = testedSystem(topology)
  collections(tested)
  oneTimePasswords(tested)
  payouts(tested)
  oneGateway(tested)
  operatorCommands(tested)
  inTheEnd(tested)
})

import { describe } from 'vitest'
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

describe.each(TOPOLOGIES)('$name', (topology) => {
  const tested = testedSystem(topology)
  collections(tested)
  oneTimePasswords(tested)
  payouts(tested)
  oneGateway(tested)
  operatorCommands(tested)
  inTheEnd(tested)
})

import { describe } from 'vitest'
import { sampledByDefault } from '../testing/nightly.ts'
import { TOPOLOGIES } from '../testing/topology.ts'
import { collections } from './topologies/collections.ts'
import { inTheEnd } from './topologies/in-the-end.ts'
import { oneGateway } from './topologies/one-gateway.ts'
import { staffCommands } from './topologies/staff-commands.ts'
import { testedSystem } from './topologies/tested-system.ts'

// The promises to merchants and customers hold however the gateway is spread over processes: real `malipo serve`
// processes on one PostgreSQL, called in rotation, judged by what a merchant receives and by the simulated operators'
// own records.

// The default run tests the topology with more processes; every other file of this folder tests a single process.
describe.each(sampledByDefault('topologies', TOPOLOGIES.toReversed()))('$name', (topology) => {
  const tested = testedSystem(topology)
  collections(tested)
  oneGateway(tested)
  staffCommands(tested)
  inTheEnd(tested)
})

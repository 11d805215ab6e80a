import { askRail } from '../actions/ask-rail.ts'
import { deliverCallbacks, type DeliverDeps } from '../actions/deliver-callback.ts'
import { submitToRail, type RailDeps } from '../actions/submit-to-rail.ts'
import type { Lane } from './loop.ts'

/** Every kind of work with its bounds. Payments go in batches, one commit each; callbacks one by one, many at a time. */
export const createLanes = (deps: RailDeps & DeliverDeps): readonly Lane[] => [
  { kind: 'submitToRail', batchMax: 200, capacity: 400, run: (items) => [submitToRail(deps, items)] },
  { kind: 'askRail', batchMax: 200, capacity: 200, run: (items) => [askRail(deps, items)] },
  { kind: 'deliverCallback', batchMax: 64, capacity: 256, run: (items) => deliverCallbacks(deps, items) },
]

import type { RunOptions } from '../../harness/part.ts'
import { replays, type OurContext } from './replays.ts'
import { sandboxRequests } from './sandbox.ts'

/** Requests of our own contract that its schemas do not lead to. */
export async function ourRequests(context: OurContext, { operations: wanted }: RunOptions): Promise<void> {
  const { target, contract, traffic, put } = context
  const isWanted = (id: string): boolean => wanted === undefined || wanted.includes(id)
  for (const operation of contract.operations)
    if (isWanted(operation.id) && operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
      await replays(context, operation)
  if (!target.sandbox) return
  for (const request of sandboxRequests({ ...context, request: traffic.toRequest }))
    if (isWanted(request.operation.id)) await put(request)
}

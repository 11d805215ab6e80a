import { findException, type ExceptionView } from '../queries/statements/end-exception.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'

/** @throws OperationRefusal when there is none */
export async function exceptionNamed({ pool }: Pick<OperationContext, 'pool'>, id: string): Promise<ExceptionView> {
  const found = /^\d{1,18}$/.test(id) ? await findException(pool, BigInt(id)) : undefined
  if (!found)
    throw new OperationRefusal('not_found', `there is no exception ${id}`, 'See them all: malipo reconcile list')
  return found
}

import { OperationRefusal } from './operation.ts'

/** @throws OperationRefusal for what the parser refuses with a RangeError */
export function parsed<Value>(what: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new OperationRefusal('invalid', `${what} cannot be used: ${error.message.replace(/\.$/, '')}`)
  }
}

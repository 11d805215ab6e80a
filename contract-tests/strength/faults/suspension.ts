import { edited, type FaultRows } from './fault.ts'

const CHECK = "operation.method === 'post' && merchantOf(exchange).suspendedAt"

export const suspensionRows: FaultRows = {
  'suspended-merchant-accepted': edited('accepts payments of a suspended merchant', ['http/api.ts', CHECK, 'false']),
  'suspended-merchant-shut-out': edited('refuses the look-ups of a suspended merchant too', [
    'http/api.ts',
    CHECK,
    'merchantOf(exchange).suspendedAt',
  ]),
}

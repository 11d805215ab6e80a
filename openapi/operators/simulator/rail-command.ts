import type { OpenOperator, Operator } from './operator.ts'

/** The line that makes this simulator a rail of a gateway: the gateway's command stands here and nowhere else. */
export const railCommand = (operator: Operator, open: OpenOperator, baseUrl: string): string =>
  [
    `malipo rail add ${operator.name}-simulator --rail ${operator.name}`,
    ...Object.entries(open.railSettings(baseUrl)).map(([name, value]) => `  --set ${name}=${value}`),
  ].join(' \\\n')

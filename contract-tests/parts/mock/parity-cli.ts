// Lists the differences between the mock and a running sandbox, with the reasons; unexplained ones come first.
//   node contract-tests/parts/mock/parity-cli.ts [url]      default http://127.0.0.1:8080
import { fileURLToPath } from 'node:url'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { startPrism } from '../../driver/prism.ts'
import { compareWithMock } from './parity.ts'

const TEXT_MAX = 60
const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text || 'none')

const { PUBLIC_KEY: publicKey = 'pub_sandbox_demo', SECRET_KEY: secretKey = 'sec_sandbox_demo' } = process.env
const url = (process.argv[2] ?? 'http://127.0.0.1:8080').replace(/\/$/, '')
const prism = await startPrism(bundleUrl)
try {
  const target = { url, publicKey, secretKey, sandbox: true, contract: fileURLToPath(bundleUrl) }
  const { cases, differences } = await compareWithMock(target, prism)
  console.log(`${cases} requests, each to the mock and to the server; below: differences as mock | server, and why`)
  const groups = [...Map.groupBy(differences, ({ why = '' }) => why)]
  for (const [why, group] of groups.toSorted(([one], [other]) => Number(one !== '') - Number(other !== ''))) {
    console.log(`${String(group.length).padStart(4)} ${why || 'NOT EXPLAINED'}`)
    for (const { case: request, aspect, mock, server } of why === '' ? group : group.slice(0, 1))
      console.log(`     ${request.operationId ?? 'routes'}, ${request.name}: ${aspect} ${cut(mock)} | ${cut(server)}`)
  }
  if (differences.some(({ why }) => why === undefined)) process.exitCode = 1
} finally {
  await prism.stop()
}

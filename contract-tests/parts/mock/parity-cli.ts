// Lists the differences between the mock and a running sandbox, with the reasons; every row goes to
// dist/contract-tests/mock-parity.json.
//   node contract-tests/parts/mock/parity-cli.ts [url]      default http://127.0.0.1:8080
import { fileURLToPath } from 'node:url'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { compareWithMock } from './parity.ts'
import { parityTable, writeParity } from './parity-table.ts'
import { startPrism } from '../../driver/prism.ts'

const { PUBLIC_KEY: publicKey = 'pub_sandbox_demo', SECRET_KEY: secretKey = 'sec_sandbox_demo' } = process.env
const url = (process.argv[2] ?? 'http://127.0.0.1:8080').replace(/\/$/, '')
const prism = await startPrism(bundleUrl)
try {
  const parity = await compareWithMock(
    { url, publicKey, secretKey, sandbox: true, contract: fileURLToPath(bundleUrl) },
    prism,
  )
  console.log(parityTable(parity))
  await writeParity(parity)
  if (parity.differences.some(({ why }) => why === undefined)) process.exitCode = 1
} finally {
  await prism.stop()
}

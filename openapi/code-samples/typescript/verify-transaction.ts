import { createMalipo, MalipoError } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

try {
  const transaction = await malipo.transactions.verify('ORDER-2026-0001')
  if (transaction.transaction_type === 'COLLECTION' && transaction.transaction_status === 'COMPLETED') {
    console.log('credited', transaction.total_credit, transaction.transaction_currency)
  } else {
    console.log(transaction.transaction_status, transaction.status_message)
  }
} catch (error) {
  if (!(error instanceof MalipoError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

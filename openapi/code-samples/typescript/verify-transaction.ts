import { createMalipo } from '@malipo/client'

const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_sandbox_demo' })

const transaction = await malipo.transactions.verify('ORDER-2026-0001')
if (transaction.transaction_type === 'COLLECTION' && transaction.transaction_status === 'COMPLETED') {
  console.log('credited', transaction.total_credit, transaction.transaction_currency)
} else {
  console.log(transaction.transaction_status, transaction.status_message)
}

import { publishStrategy } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { post } from '../testing/accounts.ts'
import { badCases, expectOutcome } from '../testing/bad-forms.ts'
import { all } from '../testing/bad-values.ts'
import { newPayer, type Payer } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const FORM = { name: 'Quiet Harbour', description: 'Few trades', fee: 20 }

describe.each(DATABASES)('a text of a strategy, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  let user: Payer
  beforeAll(async () => {
    user = await newPayer(server())
  })

  test.each(
    badCases([
      ['name', FORM.name, 'at', all('strategyNameInvalid', { '10,000 characters': 'strategyNameInvalid' })],
      ['description', FORM.description, FORM.name, all('taken')],
    ]),
  )('$field with $bad: $outcome', async (bad) => {
    const form = { ...FORM, [bad.field]: bad.value }
    const answer = await post(server(), publishStrategy.path, form, user.token, { lang: bad.language })
    // Copying real money is off, so that nothing is published.
    expectOutcome(answer, bad, 'copyingOff')
  })

  test('publishes nothing', async () => {
    const { queries } = server().deployment.database
    expect(await queries.selectFrom('strategy_text').selectAll().execute()).toEqual([])
  })
})

import { cancelOrder, closeOrder, getOrder, reverseOrder, setStops, setTrailing } from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, notice, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, reject, push } from '../../../testing/fake-server.ts'
import { openOrders, openOrderSheet, orderSheet, confirmation } from '../../../testing/orders.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

describe('the details of an order', () => {
  test('show its terms, missing stops as none, and no rows that do not apply', async () => {
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    for (const text of [
      /No\. 41/,
      /Filled at\s*1\.08439/,
      /Stop loss\s*none/,
      /Leverage\s*30 ×/,
      /Opening fee\s*3\.61/,
    ])
      await expect.element(orderSheet()).toMatchTextContent(text)
    await expect.element(orderSheet()).not.toMatchTextContent('Expires')
    await expect.element(orderSheet()).not.toMatchTextContent('Swap')
  })

  test('show the fixed margin per lot if the order’s margin was fixed', async () => {
    const { instrument } = sample.position()
    const order = { instrument: { ...instrument, marginMode: 'fixed' as const, contractSize: 1_000 } }
    await openOrders({ holding: [sample.position({ ...order, originalMargin: sample.amount('100') })] })
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/Margin per lot, fixed\s*1,000\.000000/)
  })

  test('show no fixed margin if the order’s margin had other terms', async () => {
    const { instrument } = sample.position()
    const order = { instrument: { ...instrument, marginMode: 'fixed' as const, contractSize: 1_000 } }
    await openOrders({ holding: [sample.position({ ...order, originalMargin: sample.amount('99') })] })
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/Margin\s*99\.000000/)
    await expect.element(orderSheet()).not.toMatchTextContent('per lot')
  })

  test('move the stop loss to the opening price in one press, and keep the other stop', async () => {
    await openOrders({ holding: [sample.position({ takeProfit: sample.decimal('1.09') })] })
    answer(setStops, {
      stopLoss: sample.decimal('1.08439'),
      takeProfit: sample.decimal('1.09'),
      warning: null,
    })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Break even' }).click()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, stopLoss: 1.08439 }])
  })

  test('offer no break-even for a position at a loss, or whose stop is there already', async () => {
    await openOrders({ holding: [sample.position({ stopLoss: sample.decimal('1.08439') })] })
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet().getByRole('button', { name: 'Trail stop' })).toBeVisible()
    await expect.element(orderSheet().getByRole('button', { name: 'Break even' })).not.toBeInTheDocument()
  })

  test('close the position after a confirmation', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(closeOrder, sample.closedOrder())
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Close +3.00', exact: true }).click()
    await expect
      .element(confirmation())
      .toMatchTextContent('Buy 0.10 lots closes at about 1.08469. This books +3.00 to')
    await confirmation()
      .getByRole('button', { name: /^Close/ })
      .click()
    await expect.element(page.getByText(/Closed at 1\.08469/)).toBeVisible()
    await expect.element(orderSheet()).not.toBeInTheDocument()
  })

  test('a rejected close dismisses the confirmation and shows the reason', async () => {
    await openOrders({ holding: [sample.position()] })
    reject(closeOrder, 'marketClosed', 'The market has just closed.')
    await openOrderSheet('EUR/USD')
    await orderSheet()
      .getByRole('button', { name: /^Close \+/ })
      .click()
    await confirmation()
      .getByRole('button', { name: /^Close/ })
      .click()
    await expect.element(notice('The market has just closed.')).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
  })

  test('reverse the position after a confirmation with profit, margin and fee', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(reverseOrder, sample.position({ id: 44, side: 'sell', openPrice: sample.decimal('1.08469') }))
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Reverse' }).click()
    await expect
      .element(confirmation())
      .toMatchTextContent(/Sell 0\.10 lots opens at the same price, for 361\.56/)
    await confirmation().getByRole('button', { name: 'Reverse' }).click()
    await expect.element(page.getByText('Reversed: Sell 0.10 opened at 1.08469.')).toBeVisible()
  })

  test('link a closed part to its position and back', async () => {
    answer(getOrder, sample.position({ lots: lots(500) }))
    await openOrders({ history: [sample.closedOrder({ id: 43, parentId: 41, lots: lots(500) })] })
    await choose('History')
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Show the position' }).click()
    await expect.element(orderSheet()).toMatchTextContent('No. 41')
    await orderSheet().getByRole('button', { name: 'Back to the part' }).click()
    await expect.element(orderSheet()).toMatchTextContent('No. 43')
  })

  test('offer no actions once the order has ended', async () => {
    await openOrders({ history: [sample.closedOrder()] })
    await choose('History')
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/End reason\s*Closed by you/)
    await expect.element(orderSheet().getByRole('button', { name: 'Set stops' })).not.toBeInTheDocument()
  })
})

describe('stops of a position', () => {
  const openStops = async (change: Parameters<typeof sample.position>[0] = {}) => {
    await openOrders({ holding: [sample.position(change)] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Set stops' }).click()
  }
  /** Found by the start of its label, which also contains the profit at the stop. */
  const field = (name: string) => orderSheet().getByRole('textbox', { name: new RegExp(`^${name}`) })
  const save = () => orderSheet().getByRole('button', { name: 'Save stops' }).click()

  test('are set, and the server’s message is shown', async () => {
    await openStops()
    answer(
      setStops,
      { stopLoss: sample.decimal('1.08'), takeProfit: null, warning: null },
      'The stops are set.',
    )
    await expect.element(field('Stop loss')).toHaveAccessibleDescription('Below 1.08469')
    await expect.element(field('Take profit')).toHaveAccessibleDescription('Above 1.08469')
    await field('Stop loss').fill('1.08')
    await save()
    await expect.element(page.getByText('The stops are set.')).toBeVisible()
    expect(inputsOf(setStops)).toEqual([{ orderId: 41, stopLoss: 1.08 }])
  })

  test('are cleared by an empty field, and by 0', async () => {
    await openStops({ stopLoss: sample.decimal('1.08'), takeProfit: sample.decimal('1.09') })
    answer(setStops, { stopLoss: null, takeProfit: null, warning: null })
    await field('Stop loss').fill('')
    await field('Take profit').fill('0')
    await save()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, stopLoss: null, takeProfit: null }])
  })

  test('that were not touched are not sent, and follow what another device or a trailing stop does', async () => {
    const trailing = { stopLoss: sample.decimal('1.08'), trailingDistance: sample.decimal('0.005') }
    await openStops(trailing)
    answer(setStops, { stopLoss: sample.decimal('1.083'), takeProfit: sample.decimal('1.09'), warning: null })
    await field('Take profit').fill('1.09')
    const moved = sample.position({ ...trailing, stopLoss: sample.decimal('1.083') })
    push({ type: 'orders', userId: 7, seq: 1, orders: [moved] })
    await expect.element(field('Stop loss')).toHaveValue('1.083')
    await expect.element(orderSheet()).toMatchTextContent('trails the price and is at 1.08300 now')
    await expect.element(field('Take profit')).toHaveValue('1.09')
    await save()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, takeProfit: 1.09 }])
  })

  test('are read near the price where a separator may mean thousands, and asked about where both may be meant', async () => {
    await openStops()
    answer(setStops, { stopLoss: sample.decimal('1.08'), takeProfit: null, warning: null })
    await field('Stop loss').fill('1,080')
    await userEvent.tab()
    await expect.element(field('Stop loss')).toHaveValue('1.080')
    await save()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, stopLoss: 1.08 }])
  })

  test('are not sent at all when none was touched', async () => {
    await openStops({ stopLoss: sample.decimal('1.08') })
    await save()
    await expect.element(orderSheet().getByRole('button', { name: 'Set stops' })).toBeVisible()
    expect(inputsOf(setStops)).toEqual([])
  })

  test.each(['x', '-1', '1.084391'])('%j is no valid price, and is not sent', async (text) => {
    await openStops()
    await field('Stop loss').fill(text)
    await save()
    await expect.element(field('Stop loss')).toHaveAccessibleDescription(/Enter a price such as/)
    expect(inputsOf(setStops)).toEqual([])
  })

  test('a rejection is shown at its field, and the input is kept', async () => {
    await openStops()
    reject(setStops, 'takeProfitWrongSide', 'The take profit must lie above 1.08475.')
    await field('Take profit').fill('1.01')
    await save()
    await expect
      .element(field('Take profit'))
      .toHaveAccessibleDescription('The take profit must lie above 1.08475.')
    await expect.element(field('Take profit')).toHaveValue('1.01')
  })

  test('can be stepped and show their profit, as in the ticket', async () => {
    await openStops()
    await orderSheet().getByRole('button', { name: 'Higher: Stop loss' }).click()
    await expect.element(field('Stop loss')).toHaveValue('1.08270')
    await expect
      .element(orderSheet().getByRole('textbox', { name: 'Stop loss −16.90 · −16.9 pips' }))
      .toBeVisible()
    await orderSheet().getByRole('button', { name: 'Higher: Take profit' }).click()
    await expect.element(field('Take profit')).toHaveValue('1.08660')
    await orderSheet().getByRole('button', { name: 'Higher: Take profit' }).click()
    await expect
      .element(orderSheet().getByRole('textbox', { name: 'Take profit +23.10 · +23.1 pips' }))
      .toBeVisible()
  })

  test('a warning stays on the screen', async () => {
    await openStops()
    const warning = { code: 'stopLossBeyondStopOut', message: 'The stop-out comes first, at 1.05.' } as const
    answer(setStops, { stopLoss: sample.decimal('1'), takeProfit: null, warning })
    await field('Stop loss').fill('1')
    await save()
    await expect.element(notice('The stop-out comes first, at 1.05.')).toBeVisible()
  })

  test('show that setting them ends the trailing stop', async () => {
    await openStops({ stopLoss: sample.decimal('1.08'), trailingDistance: sample.decimal('0.005') })
    await expect
      .element(orderSheet())
      .toMatchTextContent('The stop loss trails the price and is at 1.08000 now.')
  })
})

describe('a trailing stop', () => {
  const openTrailing = async (change: Parameters<typeof sample.position>[0] = {}) => {
    await openOrders({ holding: [sample.position(change)] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Trail stop' }).click()
  }
  const distance = () => orderSheet().getByRole('textbox', { name: 'Distance in price' })

  test('starts at the price shown', async () => {
    await openTrailing()
    await distance().fill('0.005')
    await expect
      .element(orderSheet())
      .toMatchTextContent('The position would close at 1.08469 now. The stop starts at 1.07969.')
    answer(
      setTrailing,
      sample.position({ stopLoss: sample.decimal('1.07969'), trailingDistance: sample.decimal('0.005') }),
    )
    await orderSheet().getByRole('button', { name: 'Start trailing', exact: true }).click()
    await expect.element(page.getByText('Trailing stop set. It is at 1.07969 now.')).toBeVisible()
    expect(inputsOf(setTrailing)).toEqual([{ orderId: 41, distance: 0.005 }])
  })

  test('stays at its price when turned off', async () => {
    await openTrailing({ stopLoss: sample.decimal('1.07969'), trailingDistance: sample.decimal('0.005') })
    answer(setTrailing, sample.position({ stopLoss: sample.decimal('1.07969') }))
    await orderSheet().getByRole('button', { name: 'Stop trailing' }).click()
    await expect.element(page.getByText(/Trailing stopped/)).toBeVisible()
    expect(inputsOf(setTrailing)).toEqual([{ orderId: 41, distance: null }])
  })

  test('keeps a distance that another device set while the form was open', async () => {
    const trailing = { stopLoss: sample.decimal('1.07969'), trailingDistance: sample.decimal('0.005') }
    await openTrailing(trailing)
    await expect.element(distance()).toHaveValue('0.00500')
    const wider = sample.position({ ...trailing, trailingDistance: sample.decimal('0.008') })
    push({ type: 'orders', userId: 7, seq: 1, orders: [wider] })
    await expect.element(distance()).toHaveValue('0.00800')
    await orderSheet().getByRole('button', { name: 'Save distance' }).click()
    await expect.element(distance()).not.toBeInTheDocument()
    expect(inputsOf(setTrailing)).toEqual([])
  })

  test('needs a distance', async () => {
    await openTrailing()
    await distance().fill('far')
    await expect.element(distance()).toHaveAccessibleDescription(/Enter a distance such as/)
    await expect
      .element(orderSheet().getByRole('button', { name: 'Start trailing', exact: true }))
      .toBeDisabled()
  })

  test('shows a rejection at the distance', async () => {
    await openTrailing()
    reject(setTrailing, 'trailingDistanceInvalid', 'At least 0.00006.')
    await orderSheet().getByRole('button', { name: 'Start trailing', exact: true }).click()
    await expect.element(distance()).toHaveAccessibleDescription('At least 0.00006.')
  })
})

describe('closing a part', () => {
  const openPart = async () => {
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Close part' }).click()
  }
  const partLots = () => orderSheet().getByRole('textbox', { name: 'Lots to close' })

  test('accepts a share or typed lots, and shows what stays open', async () => {
    await openPart()
    await expect.element(partLots()).toHaveValue('0.05')
    await orderSheet().getByRole('button', { name: /^25/ }).click()
    await expect.element(partLots()).not.toHaveValue('0.05')
    await partLots().fill('0.04')
    await expect
      .element(orderSheet())
      .toMatchTextContent('0.04 lots close at about 1.08469. This books about +1.20')
    await expect.element(orderSheet()).toMatchTextContent('0.06 lots stay open')
    answer(closeOrder, sample.closedOrder({ id: 43, parentId: 41, lots: lots(400) }))
    await orderSheet().getByRole('button', { name: 'Close 0.04' }).click()
    await expect.element(page.getByText(/Closed 0\.04 at .* 0\.06 stays open/)).toBeVisible()
    expect(inputsOf(closeOrder)).toEqual([{ orderId: 41, lots: 400 }])
  })

  test.each([
    ['0.20', /At most 0\.\d\d lots/],
    ['0', /At least 0\.01 lots/],
    ['0.015', /Lots must be a multiple of 0\.01/],
    ['some', /Enter lots as a number such as 0\.01/],
  ])('%j is not accepted: %s', async (text, problem) => {
    await openPart()
    await partLots().fill(text)
    await expect.element(partLots()).toHaveAccessibleDescription(problem)
    await expect
      .element(
        orderSheet()
          .getByRole('button', { name: /^Close / })
          .last(),
      )
      .toBeDisabled()
  })
})

describe('a pending order', () => {
  const openPending = async () => {
    await openOrders({ pending: [sample.pendingOrder()] })
    await choose(/Pending/)
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Cancel order' }).click()
  }

  test('is cancelled after a confirmation with the amounts that become available, and shows the server’s message', async () => {
    await openPending()
    answer(
      cancelOrder,
      sample.pendingOrder({ status: 'cancelled', endReason: 'cancelledByUser' }),
      'Cancelled.',
    )
    await expect.element(confirmation()).toMatchTextContent('Buy 0.10 EUR/USD at 1.08000 is cancelled.')
    await confirmation().getByRole('button', { name: 'Cancel order' }).click()
    await expect.element(page.getByText('Cancelled.')).toBeVisible()
  })

  test('stays pending if the confirmation is dismissed', async () => {
    await openPending()
    await confirmation().getByRole('button', { name: 'Let it wait' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(inputsOf(cancelOrder)).toEqual([])
  })

  test('that was filled meanwhile shows the server’s message', async () => {
    await openPending()
    reject(cancelOrder, 'orderNotPending', 'This order has already been filled.')
    await confirmation().getByRole('button', { name: 'Cancel order' }).click()
    await expect.element(notice('This order has already been filled.')).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
  })
})

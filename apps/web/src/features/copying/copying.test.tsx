import {
  addToCopy,
  claimDemo,
  closeCopyPosition,
  getCopy,
  getCopyingTerms,
  getOwnStrategy,
  getStrategy,
  getUser,
  listCopies,
  listCopyLog,
  logIn,
  pauseCopy,
  publishStrategy,
  resumeCopy,
  setCopyStopLoss,
  setCopyTerms,
  startCopy,
  stopCopy,
  takeFromCopy,
  tryCopy,
  unpublishStrategy,
} from '@fairlot/contract'
import { lots, ratio } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { keepDemo } from '../../live/session/user.ts'
import { overflowing } from '../../../../../testing/overflow.ts'
import { choose, DESKTOP, notice, openApp, PHONES, settled, withFakeServer } from '../../testing/app.tsx'
import * as copying from '../../testing/copying-samples.ts'
import { answer, failConnection, inputsOf, push, reject } from '../../testing/fake-server.ts'
import { confirmation } from '../../testing/orders.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const START = '/rank/start?id=31'
const COPY = '/rank/copy?id=71'

function answerStart(): void {
  answer(getStrategy, copying.strategy())
  answer(tryCopy, copying.dryRun())
}

describe('before copying', () => {
  test('a visitor is sent through the log-in and back to the same strategy', async () => {
    await openApp(START)
    await expect
      .element(main().getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '#/login?from=%2Frank%2Fstart%3Fid%3D31')
  })

  test('a dry run of the terms shows what would have been copied, the worst stretch and the fee', async () => {
    answerStart()
    await openApp(START, { as: 'demo' })
    for (const text of [
      /copied13rounded down3skipped4/,
      /All of them would have been copied from 760\.00/,
      /Your result would have been\+8\.20\+2\.7/,
      /Harbour in the same time\+4\.1/,
      /worst stretch would have cost−18\.60/,
      /Performance fee in it1\.23/,
      /You can lose at most100\.00/,
    ])
      await expect.element(main()).toMatchTextContent(text)
    await button('Show the 20 closed orders').click()
    await expect.element(page.getByText(/below the smallest lot/).first()).toBeVisible()
  })

  test('other terms are tried again, impossible ones are explained and not tried', async () => {
    answerStart()
    await openApp(START, { as: 'demo' })
    await page.getByLabelText('Amount').fill('760')
    await page.getByLabelText('Multiplier', { exact: true }).fill('0.5')
    await expect
      .poll(() => inputsOf(tryCopy).at(-1))
      .toEqual({
        strategyId: 31,
        feeShare: copying.percent(15),
        amount: sample.amount('760'),
        multiplier: ratio(500_000),
        exposureLimit: 10,
        stopPercent: 60,
      })
    await page.getByLabelText('Amount').fill('20')
    await page.getByLabelText('Multiplier', { exact: true }).fill('11')
    await page.getByLabelText('Copy stop loss, percent').fill('96')
    await expect.element(page.getByText(/^Enter the terms/)).toBeVisible()
    await button('Start copying').click()
    await expect.element(page.getByText('A copy starts with at least 100.00.')).toBeVisible()
    await expect.element(page.getByText('From 0.1 to 10.')).toBeVisible()
    await expect.element(page.getByText('A whole number from 5 to 95.')).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
  })

  test('starts after one confirmation that says what can be lost, and leads to the copy', async () => {
    answerStart()
    answer(startCopy, copying.copy())
    answer(getCopy, { copy: copying.copy(), orders: [] })
    answer(listCopyLog, { entries: [], total: 0 })
    await openApp(START, { as: 'demo' })
    await page.getByLabelText('Amount').fill('300')
    await page.getByRole('checkbox', { name: /Also copy the open position/ }).click()
    await expect.element(main()).toMatchTextContent(/EUR\/USD Buy12 % of the equity\+10 %/)
    await button('Start copying').click()
    await expect
      .element(confirmation())
      .toMatchTextContent(
        /Copy Harbour\?You can lose all of 300\.00, and no more\..*falls to 60 %.*copied too/,
      )
    await confirmation().getByRole('button', { name: 'Start copying' }).click()
    await expect.poll(() => location.hash).toBe('#/rank/copy?id=71')
    expect(inputsOf(startCopy)).toEqual([
      {
        strategyId: 31,
        feeShare: copying.percent(15),
        amount: sample.amount('300'),
        multiplier: ratio(1_000_000),
        exposureLimit: 10,
        stopPercent: 60,
        isWithOpenOrders: true,
        code: '',
      },
    ])
  })

  test('at a fee that has risen is refused, and the new one is shown and confirmed first', async () => {
    answerStart()
    const refusal = 'The performance fee of this strategy has risen since it was shown to you.'
    reject(startCopy, 'copyFeeRaised', refusal)
    await openApp(START, { as: 'demo' })
    await button('Start copying').click()
    await expect.element(confirmation()).toMatchTextContent(/Fee on new profit, monthly15\.0 %/)
    answer(getStrategy, copying.strategy({ feeShare: copying.percent(20) }))
    await confirmation().getByRole('button', { name: 'Start copying' }).click()
    await expect.element(page.getByText(refusal)).toBeVisible()
    await expect.element(main()).toMatchTextContent(/Fee on new profit, monthly20\.0 %/)
    await button('Start copying').click()
    await expect.element(confirmation()).toMatchTextContent(/Fee on new profit, monthly20\.0 %/)
    await confirmation().getByRole('button', { name: 'Start copying' }).click()
    await expect
      .poll(() => inputsOf(startCopy).map(({ feeShare }) => feeShare))
      .toEqual([copying.percent(15), copying.percent(20)])
  })

  test('wants a code of the second factor where it is on, without a second confirmation', async () => {
    answerStart()
    reject(startCopy, 'secondFactorNeeded', 'Enter a code of your authenticator app.')
    await openApp(START, { as: 'demo' })
    await button('Start copying').click()
    await confirmation().getByRole('button', { name: 'Start copying' }).click()
    const code = page.getByLabelText('Code of your authenticator app')
    await expect.element(code).toHaveFocus()
    reject(startCopy, 'notEnoughMoney', 'Only 20.00 is available.')
    await code.fill('123456')
    await button('Start copying').click()
    await expect.element(page.getByText('Only 20.00 is available.')).toBeVisible()
    expect(inputsOf(startCopy).map((input) => input.code)).toEqual(['', '123456'])
  })

  test.each([
    ['in profit', [10, -2], true],
    ['in loss', [1, -9], false],
  ] as const)('warns of open positions that are together %s', async (_, [one, other], isWarned) => {
    const open = { code: 'EUR/USD', side: 'buy', share: copying.percent(12) } as const
    const openOrders = [one, other].map((result) => ({ ...open, result: copying.percent(result) }))
    answer(getStrategy, copying.strategy())
    answer(tryCopy, copying.dryRun({ openOrders }))
    await openApp(START, { as: 'demo' })
    await page.getByRole('checkbox', { name: /2 open positions/ }).click()
    await expect.element(page.getByText(/You would open at the present price\.$/)).toBeVisible()
    expect(page.getByText(/^Together these positions are in profit/).query() !== null).toBe(isWarned)
  })

  test('a dry run with few orders, with a stop or without orders says so', async () => {
    answer(getStrategy, copying.strategy())
    answer(tryCopy, copying.dryRun({ isShort: true, wouldStop: true, amountForAll: null }))
    const few = await openApp(START, { as: 'demo' })
    await expect.element(page.getByText(/Fewer than 20 orders/)).toBeVisible()
    await expect.element(page.getByText(/would have ended the copy/)).toBeVisible()
    await expect.element(page.getByText(/no amount would have copied everything/)).toBeVisible()
    await few.unmount()
    answer(getStrategy, copying.strategy({ id: 36 }))
    answer(tryCopy, copying.dryRun({ orders: [], copied: 0, rounded: 0, skipped: 0, openOrders: [] }))
    await openApp('/rank/start?id=36', { as: 'demo' })
    await expect.element(page.getByText(/nothing can be said/)).toBeVisible()
  })

  test.each([
    ['demo', { isOwn: true }, {}, 'This is your own strategy'],
    ['demo', { copyId: 71 }, {}, 'You already copy this strategy'],
    ['demo', { endedAt: 1, endedAs: 'withdrawn' as const }, {}, 'This strategy has ended'],
    ['real', {}, {}, 'This strategy trades demo money'],
    ['demo', {}, { isDemoOn: false }, 'Copying is switched off'],
  ] as const)('a %s account with %j and %j reads “%s”', async (as, strategy, terms, title) => {
    answer(getStrategy, copying.strategy(strategy))
    answer(getCopyingTerms, copying.terms(terms))
    await openApp(START, { as })
    await expect.element(page.getByText(title)).toBeVisible()
    expect(inputsOf(tryCopy)).toEqual([])
  })
})

describe('the copies', () => {
  test('are listed with money put in, worth, result, fee and state, and their equity together', async () => {
    answer(listCopies, { copies: [copying.copy(), copying.endedCopy()] })
    await openApp('/rank?tab=copy', { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Equity in copies311\.42Put in300\.00/)
    const running = page.getByRole('list', { name: 'Running copies' }).getByRole('listitem')
    await expect
      .element(running)
      .toMatchTextContent(
        /Harbour.*Running.*1 position.*\+11\.420000.*Put in300\.00Worth now311\.42Fee so far1\.20/,
      )
    const ended = page.getByRole('list', { name: 'Ended' }).getByRole('listitem')
    await expect.element(ended).toMatchTextContent(/Nightshift.*Copy stop loss.*−80\.80.*Returned119\.20/)
  })

  test('are invited to where there are none, and a visitor to log in', async () => {
    const visitor = await openApp('/rank?tab=copy')
    await expect
      .element(main().getByRole('link', { name: 'Log in' }))
      .toHaveAttribute('href', '#/login?from=%2Frank%3Ftab%3Dcopy')
    expect(inputsOf(listCopies)).toEqual([])
    await visitor.unmount()
    await openApp('/rank?tab=copy', { as: 'demo' })
    await expect.element(page.getByText('You copy nobody yet')).toBeVisible()
  })

  test('say so when they could not be loaded', async () => {
    failConnection(listCopies)
    await openApp('/rank?tab=copy', { as: 'real' })
    await expect.element(page.getByText('Your copies could not be loaded')).toBeVisible()
  })

  test('are named apart in the overview of the account', async () => {
    answer(listCopies, { copies: [copying.copy(), copying.endedCopy()] })
    await openApp('/user', { as: 'demo' })
    await expect
      .element(page.getByRole('link', { name: /Equity in copies/ }))
      .toMatchTextContent(/1 copy, not part of the equity above.*311\.42/)
  })
})

function answerCopy(change: Parameters<typeof copying.copy>[0] = {}): void {
  answer(getCopy, { copy: copying.copy(change), orders: [sample.position({ lots: lots(200) })] })
  answer(listCopyLog, { entries: copying.log(), total: copying.log().length })
}

describe('one copy', () => {
  test('stands beside its provider, with what was copied and why not', async () => {
    answerCopy()
    await openApp(COPY, { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Your copy\+3\.8.*Harbour\+4\.1/)
    const rows = page.getByRole('list', { name: 'What was copied' }).getByRole('listitem')
    await expect
      .element(rows.nth(0))
      .toMatchTextContent(/Buy 0\.02 copied.*Harbour: 0\.50 at 1\.08472 · you: 1\.08472/)
    await expect.element(rows.nth(1)).toMatchTextContent('Sell 0.01 copied, rounded down')
    await expect
      .element(rows.nth(2))
      .toMatchTextContent(
        /US500 Buy skipped.*below the smallest lot.*It would have been 0\.0040 lots; the smallest is 0\.01/,
      )
    await expect.element(rows.nth(3)).toMatchTextContent('reduced by 0.01')
    await expect.element(rows.nth(4)).toMatchTextContent(/Buy 0\.02 closed.*Harbour: 0\.50 · you: 1\.08472/)
  })

  test('follows a push of the server', async () => {
    answerCopy()
    await openApp(COPY, { as: 'demo' })
    await expect.element(page.getByText('Running')).toBeVisible()
    answerCopy({ state: 'paused' })
    push({ type: 'copying', userId: 7, seq: 1, copyIds: [71], hasCopierChange: false })
    await expect.element(page.getByText(/Closings still follow/)).toBeVisible()
  })

  test('of a frozen provider says that it waits, and until when', async () => {
    answerCopy({ frozenUntil: Date.UTC(2026, 8, 2, 12) })
    await openApp(COPY, { as: 'demo' })
    await expect.element(page.getByText('Paused')).toBeVisible()
    await expect.element(page.getByText(/frozen at .*12:00.*, this copy ends/)).toBeVisible()
    await expect.element(button('Pause')).toBeVisible()
  })

  test('is paused and resumed', async () => {
    answerCopy()
    answer(pauseCopy, copying.copy({ state: 'paused' }))
    answer(resumeCopy, copying.copy())
    await openApp(COPY, { as: 'demo' })
    await expect.element(button('Pause')).toBeVisible()
    answerCopy({ state: 'paused' })
    await button('Pause').click()
    await expect.element(button('Resume')).toBeVisible()
    answerCopy()
    await button('Resume').click()
    await expect.element(button('Pause')).toBeVisible()
    expect(inputsOf(pauseCopy)).toEqual([{ copyId: 71 }])
    expect(inputsOf(resumeCopy)).toEqual([{ copyId: 71 }])
  })

  test('takes more money and gives free money back, never more than there is', async () => {
    answerCopy()
    answer(addToCopy, copying.copy())
    answer(takeFromCopy, copying.copy())
    await openApp(COPY, { as: 'demo' })
    const sheet = page.getByRole('dialog')
    await button('Add or take out money').click()
    await sheet.getByLabelText('Amount').fill('50')
    await sheet.getByRole('button', { name: 'Add' }).click()
    await expect.element(notice('Added 50.00.')).toBeVisible()
    await expect.element(sheet).not.toBeInTheDocument()
    await button('Add or take out money').click()
    await choose('Take out')
    await expect.element(sheet).toMatchTextContent(/At most 240\.50.*performance fee on the part taken out/)
    await sheet.getByLabelText('Amount').fill('240.51')
    await sheet.getByRole('button', { name: 'Take out' }).click()
    await expect.element(sheet.getByRole('alert').first()).toMatchTextContent('At most 240.50.')
    await sheet.getByLabelText('Amount').fill('240.50')
    await sheet.getByRole('button', { name: 'Take out' }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(inputsOf(addToCopy)).toEqual([{ copyId: 71, amount: sample.amount('50') }])
    expect(inputsOf(takeFromCopy)).toEqual([{ copyId: 71, amount: sample.amount('240.50') }])
  })

  test('gets another stop loss, and shows why one was refused', async () => {
    answerCopy()
    reject(setCopyStopLoss, 'copyTermsInvalid', 'The copy stop loss is below the present value.')
    await openApp(COPY, { as: 'demo' })
    await button('Change').click()
    const percent = page.getByRole('dialog').getByLabelText('Copy stop loss, percent')
    await percent.fill('95')
    await button('Save').click()
    await expect.element(page.getByText('The copy stop loss is below the present value.')).toBeVisible()
    answer(setCopyStopLoss, copying.copy({ stopPercent: 70 }))
    await percent.fill('70')
    await button('Save').click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(inputsOf(setCopyStopLoss).map(({ stopPercent }) => stopPercent)).toEqual([95, 70])
  })

  test('keeps a stop loss that another device set while the form was open', async () => {
    answerCopy()
    await openApp(COPY, { as: 'demo' })
    await button('Change').click()
    const percent = page.getByRole('dialog').getByLabelText('Copy stop loss, percent')
    await expect.element(percent).toHaveValue(String(copying.copy().stopPercent))
    answerCopy({ stopPercent: 85 })
    push({ type: 'copying', userId: 7, seq: 1, copyIds: [71], hasCopierChange: false })
    await expect.element(percent).toHaveValue('85')
    await button('Save').click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(inputsOf(setCopyStopLoss)).toEqual([])
  })

  test('is copied otherwise: only what was changed is sent', async () => {
    answerCopy({ excluded: [2] })
    answer(getStrategy, copying.strategy())
    await openApp(COPY, { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Not copied.*XAU/)
    await button('Change how it copies').click()
    const sheet = page.getByRole('dialog')
    await expect.element(sheet.getByLabelText('Multiplier')).toHaveValue('1')
    await sheet.getByLabelText('Multiplier').fill('20')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect.element(sheet.getByText('From 0.1 to 10.')).toBeVisible()
    await sheet.getByLabelText('Multiplier').fill('2.5')
    await sheet.getByRole('checkbox', { name: /XAU/ }).click()
    answer(setCopyTerms, copying.copy({ multiplier: ratio(2_500_000) }))
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(inputsOf(setCopyTerms)).toEqual([
      { copyId: 71, multiplier: 2_500_000, exposureLimit: null, excluded: [] },
    ])
  })

  test('has its positions on the orders screen, apart from the own ones', async () => {
    answerCopy()
    answer(listCopies, { copies: [copying.copy(), copying.endedCopy()] })
    await openApp('/order', { as: 'demo' })
    const positions = page.getByRole('list', { name: 'Harbour' })
    await expect.element(positions.getByRole('listitem')).toMatchTextContent(/EUR\/USD/)
    await page.getByRole('link', { name: 'Harbour' }).click()
    await expect.element(page.getByRole('heading', { name: /Harbour/ })).toBeVisible()
  })

  test('closes a position, and stops, each after a confirmation', async () => {
    answerCopy()
    answer(closeCopyPosition, sample.closedOrder())
    answer(stopCopy, copying.copy({ state: 'ending' }))
    await openApp(COPY, { as: 'demo' })
    await button('Close 0.02 EUR/USD').click()
    await expect.element(confirmation()).toMatchTextContent(/books about \+3\.00 to the copy/)
    await confirmation().getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => inputsOf(closeCopyPosition)).toEqual([{ copyId: 71, orderId: 41 }])
    await settled()
    await button('Stop').click()
    await expect.element(confirmation()).toMatchTextContent(/closes at the market\. About 311\.42/)
    answerCopy({ state: 'ending' })
    await confirmation().getByRole('button', { name: 'Stop' }).click()
    await expect.element(page.getByText(/Its positions close as soon as/)).toBeVisible()
    await expect.element(button('Stop')).not.toBeInTheDocument()
    expect(inputsOf(stopCopy)).toEqual([{ copyId: 71 }])
  })

  test('that ended shows how, what was returned, and nothing to press', async () => {
    answer(getCopy, { copy: copying.endedCopy(), orders: [] })
    answer(listCopyLog, { entries: [], total: 0 })
    await openApp('/rank/copy?id=72', { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Copy stop loss.*Returned119\.20Result−80\.80/)
    await expect.element(button('Pause')).not.toBeInTheDocument()
  })

  test('of somebody else is not found', async () => {
    reject(getCopy, 'copyNotFound', 'There is no such copy.')
    reject(listCopyLog, 'copyNotFound', 'There is no such copy.')
    await openApp('/rank/copy?id=73', { as: 'demo' })
    await expect.element(page.getByText('There is no such copy.')).toBeVisible()
  })
})

describe('the own strategy', () => {
  test('is published after a confirmation; what becomes public is shown before', async () => {
    answer(publishStrategy, copying.published())
    await openApp('/mine/strategy', { as: 'demo' })
    await expect.element(page.getByText(/^Every closed order with the tick/)).toBeVisible()
    await page.getByLabelText('Performance fee, percent').fill('31')
    await button('Publish').click()
    await expect.element(page.getByText('Enter a name.')).toBeVisible()
    await expect.element(page.getByText(/Enter a percentage from 0 to 30/)).toBeVisible()
    await page.getByLabelText('Name').fill(' Tidewater ')
    await page.getByLabelText('Description').fill('Gold.')
    await page.getByLabelText('Performance fee, percent').fill('12.5')
    await button('Publish').click()
    await expect.element(confirmation()).toMatchTextContent(/Publish “Tidewater”\?.*become public/)
    answer(getOwnStrategy, copying.published())
    await confirmation().getByRole('button', { name: 'Publish' }).click()
    await expect.element(page.getByRole('heading', { name: 'Tidewater' })).toBeVisible()
    expect(inputsOf(publishStrategy)).toEqual([
      { name: 'Tidewater', description: 'Gold.', feeShare: copying.percent(12.5) },
    ])
  })

  test('shows copiers, their money and the fees, is edited, and ended after a confirmation', async () => {
    answer(getOwnStrategy, copying.published({ hiddenFor: 'The name imitates a bank.' }))
    answer(publishStrategy, copying.published())
    answer(unpublishStrategy, null)
    await openApp('/mine/strategy', { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Copiers14Their money5,210\.00Fees earned63\.40/)
    await expect.element(page.getByText(/Reason: The name imitates a bank\./)).toBeVisible()
    const fee = page.getByLabelText('Performance fee, percent')
    await expect.element(fee).toHaveValue('12.5')
    await expect.element(page.getByText(/running copies keep the fee they started with/)).toBeVisible()
    await page.getByLabelText('Description').fill('Silver.')
    await fee.fill('30.5')
    await button('Save').click()
    await expect.element(page.getByText(/Enter a percentage from 0 to 30/)).toBeVisible()
    await fee.fill('20')
    await button('Save').click()
    await expect.element(notice('Saved.')).toBeVisible()
    expect(inputsOf(publishStrategy)).toEqual([
      { name: 'Tidewater', description: 'Silver.', feeShare: copying.percent(20) },
    ])
    await button('End the strategy').click()
    await expect.element(confirmation()).toMatchTextContent('14 copies close their positions and end.')
    answer(getOwnStrategy, copying.published({ endedAt: sample.NOON, endedAs: 'withdrawn' }))
    await confirmation().getByRole('button', { name: 'End the strategy' }).click()
    await expect.element(page.getByText('ended by the trader')).toBeVisible()
  })

  test.each([
    ['identity', 'real', 'Verify identity', '#/mine/auth'],
    ['registration', 'demo', 'Open an account', '#/register'],
    ['equity', 'real', 'Make a deposit', '#/mine/charge'],
    ['equity', 'demo', 'Reset the demo account', '#/user'],
  ] as const)('prevented by %s of a %s account names the way there', async (barrier, as, name, path) => {
    answer(getOwnStrategy, copying.notPublished({ barrier }))
    await openApp('/mine/strategy', { as })
    await expect.element(main().getByRole('link', { name })).toHaveAttribute('href', path)
    await expect.element(button('Publish')).not.toBeInTheDocument()
  })

  test.each([
    ['staff', /People who work for the operator may not publish/],
    ['otherStrategy', /One person publishes one strategy at a time/],
  ] as const)('prevented by %s says why', async (barrier, text) => {
    answer(getOwnStrategy, copying.notPublished({ barrier }))
    await openApp('/mine/strategy', { as: 'demo' })
    await expect.element(main()).toMatchTextContent(text)
    await expect.element(button('Publish')).not.toBeInTheDocument()
  })

  test('follows copiers who come and go', async () => {
    answer(getOwnStrategy, copying.published())
    await openApp('/mine/strategy', { as: 'demo' })
    await expect.element(main()).toMatchTextContent(/Copiers14/)
    answer(getOwnStrategy, copying.published({ copiers: 15 }))
    push({ type: 'copying', userId: 7, seq: 1, copyIds: [], hasCopierChange: true })
    await expect.element(main()).toMatchTextContent(/Copiers15/)
  })

  test('with the demo account of the device needs a registered user, who names it as theirs and is led to it', async () => {
    keepDemo('a secret')
    answer(getOwnStrategy, copying.notPublished({ barrier: 'copyingOff' }))
    await openApp('/mine/strategy', { as: 'real' })
    reject(claimDemo, 'demoOfAnother', 'Somebody else has confirmed it.')
    await button('It is mine: open it').click()
    await expect.element(notice('Somebody else has confirmed it.')).toBeVisible()
    answer(claimDemo, null)
    answer(logIn, { token: 'demo token', user: sample.demoUser() })
    answer(getUser, sample.demoUser())
    answer(getOwnStrategy, copying.notPublished({ barrier: null }))
    await button('It is mine: open it').click()
    await expect.element(button('Publish')).toBeVisible()
    expect(inputsOf(claimDemo)).toEqual([{ demoId: 'a secret' }, { demoId: 'a secret' }])
    expect(inputsOf(logIn)).toEqual([{ demoId: 'a secret' }])
    // With the demo account itself there is nothing to name.
    await expect.element(button('It is mine: open it')).not.toBeInTheDocument()
  })

  test('published too soon after the last one says from when', async () => {
    answer(getOwnStrategy, copying.notPublished({ barrier: 'tooSoon', publishableAt: sample.NOON }))
    await openApp('/mine/strategy', { as: 'real' })
    await expect.element(page.getByText(/Another can be published from Jan 7, 2026/)).toBeVisible()
  })
})

test.each([...PHONES, DESKTOP])(
  'at %i x %i every screen of copying fits the window',
  async (width, height) => {
    answerStart()
    answerCopy()
    answer(listCopies, { copies: [copying.copy(), copying.endedCopy()] })
    answer(getOwnStrategy, copying.published())
    for (const path of [START, COPY, '/rank?tab=copy', '/mine/strategy', '/rank/method']) {
      const screen = await openApp(path, { as: 'demo', size: [width, height] })
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
      await settled()
      expect(overflowing(), path).toEqual([])
      await screen.unmount()
    }
  },
)

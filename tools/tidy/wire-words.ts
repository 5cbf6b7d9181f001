import type { Rule } from './rule.ts'
import { matchingLines } from './text.ts'
import { codeFiles } from './tree.ts'

const WIRE_WORDS = `
  ForexContNum ForexMinCont ForexMaxCont ForexFeeRate ForexId ForexTradeLists ForexQuotations HasForexMultiple
  ShowCode PricePrecision MarginMode NameShowTrans OrderType OriginPrice UpdatePrice
  TargetProfitPrice TargetLossPrice CautionMoney OriginCautionMoney CautionMoneyAll FactProfits ProfitsTotal HazardRate
  TransOrder ClosedType CreateTimeHandler MemoTran CreatedAtTran NowTime
  forex_id target_profit_price stop_loss_price target_loss_price all_fact_profits lock_balance quickCharge quick_ist
  quick_list draw_method draw_currency_id draw_rate available_prepayment prepayment_ratio current_margin dc_address
`
  .trim()
  .split(/\s+/)

const PATTERN = new RegExp(`\\b(${WIRE_WORDS.join('|')})\\b`)

/** The browser journeys and tests named `.wire.test.ts` speak to the server as a foreign client does. */
const speaksWire = (path: string): boolean =>
  path.startsWith('packages/contract/src/wire/') ||
  path.startsWith('tools/tidy/') ||
  path.startsWith('e2e/') ||
  path.endsWith('.wire.test.ts')

export const wireWords: Rule = {
  name: 'wire-words',
  says: "The wire's odd names live in packages/contract/src/wire and nowhere else.",
  look: (tree) => {
    const files = codeFiles(tree, (path) => !speaksWire(path))
    const message = (word: string): string =>
      `"${word}" is a word of the wire: use the clean name of the contract. ` +
      'A test that speaks to the raw wire is called *.wire.test.ts.'
    return { looked: files.length, findings: files.flatMap((file) => matchingLines(file, PATTERN, message)) }
  },
}

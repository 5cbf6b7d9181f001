import { useBasicInfo } from '../../live/basic-info.ts'

/** What the deployment says about the risk, quietly: with the share of accounts that lose where that is told. */
export function RiskLine() {
  const text = useBasicInfo()?.riskWarning
  return text ? <p className="px-4 text-tiny text-second">{text}</p> : null
}

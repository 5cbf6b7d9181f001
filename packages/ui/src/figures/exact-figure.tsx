/** An exact amount, split into the main digits and the last ones. */
export type ExactParts = { main: string; rest: string }

/** An amount with all its digits, the last ones smaller. Inherits colour and size. */
export const ExactFigure = ({ parts }: { parts: ExactParts }) => (
  <bdi dir="ltr" translate="no" className="whitespace-nowrap">
    {parts.main}
    <span className="text-[max(0.72em,0.75rem)] font-medium">{parts.rest}</span>
  </bdi>
)

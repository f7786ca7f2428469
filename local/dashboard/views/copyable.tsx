import { CopyButton, Fact } from "../components.js";

/** A text with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span class="copyable">
      <span class="mono break">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** A row of a list of facts, with a text that can be copied. */
export function CopyableFact(props: { name: string; text: string; label: string }) {
  return (
    <Fact name={props.name}>
      <Copyable text={props.text} label={props.label} />
    </Fact>
  );
}

/** The keys of a topic or a namespace, of which only the last four characters are shown. */
export function KeyFacts(props: { owner: { readonly key1: string; readonly key2: string } }) {
  return (["key1", "key2"] as const).map((key, index) => (
    <Fact key={key} name={`Key ${index + 1}`}>
      <span class="copyable">
        <span class="mono" aria-hidden="true">
          {"•".repeat(20)}
          {props.owner[key].slice(-4)}
        </span>
        <CopyButton text={props.owner[key]} label={`Copy ${key}`} />
      </span>
    </Fact>
  ));
}

import ts from "typescript";

/** One change of a source file by one token or one cell. */
export interface Mutant {
  readonly file: string;
  /** The expression or statement that changes. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead; nothing for a statement that vanishes. */
  readonly text: string | undefined;
  /** What changes in it, for people. */
  readonly original: string;
  readonly replacement: string;
  /** 1-based. */
  readonly line: number;
  /** The line in which it stands, without its indentation. */
  readonly code: string;
}

/** Applies a mutant to the text that it was made of. */
export function applied(source: string, { start, end, text }: Mutant): string {
  return `${source.slice(0, start)}${text ?? ";"}${source.slice(end)}`;
}

/** The operators that are replaced, with what replaces them. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
};

/** Methods and functions that are easily taken for each other. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
]);

/**
 * Returns the mutants of a source file, in the order of the file.
 *
 * Numbers change by one, texts of a union become another text of it, the cells of neighbouring rows
 * of a table change places, operators, conditions and flags turn, and statements vanish. Texts with
 * spaces and templates stay as they are, since they are messages.
 *
 */
export function mutantsOf(source: ts.SourceFile, checker: ts.TypeChecker, file: string): Mutant[] {
  const mutants: Mutant[] = [];

  function add(node: ts.Node, ...replacements: readonly string[]): void {
    for (const replacement of new Set(replacements)) addWhole(node, node, replacement, replacement);
  }

  /** Adds the mutant in which `part` of an expression is replaced. */
  function addPart(whole: ts.Expression, part: ts.Node, ...replacements: readonly string[]): void {
    for (const replacement of replacements) {
      const before = source.text.slice(whole.getStart(source), part.getStart(source));
      const after = source.text.slice(part.end, whole.end);
      addWhole(whole, part, `${before}${replacement}${after}`, replacement);
    }
  }

  function addWhole(
    whole: ts.Node,
    part: ts.Node,
    text: string | undefined,
    replacement: string,
    original = part.getText(source),
  ): void {
    if (replacement === original) return;
    const { line } = source.getLineAndCharacterOfPosition(part.getStart(source));
    const lineStart = source.getPositionOfLineAndCharacter(line, 0);
    const code = source.text.slice(lineStart).split("\n", 1)[0]?.trim() ?? "";
    const [start, end] = [whole.getStart(source), whole.end];
    mutants.push({ file, start, end, text, original, replacement, line: line + 1, code });
  }

  function addWithout(node: ts.Statement): void {
    addWhole(node, node, undefined, "nothing");
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isName(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isNumericLiteral(node)) addNumber(node);
    else if (ts.isStringLiteral(node)) addText(node);
    else if (ts.isRegularExpressionLiteral(node)) add(node, ...regularExpressions(node.text));
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
    else if (ts.isBinaryExpression(node)) addOperator(node);
    else if (ts.isPrefixUnaryExpression(node)) addNegation(node);
    else if (ts.isIfStatement(node)) addCondition(node.expression);
    else if (ts.isConditionalExpression(node)) addCondition(node.condition);
    else if (ts.isExpressionStatement(node)) addStatement(node);
    else if (ts.isThrowStatement(node)) addWithout(node);
    else if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) addJump(node);
    else if (ts.isPropertyAccessExpression(node)) addMethod(node);
    else if (ts.isArrayLiteralExpression(node)) addElements(node);
    else if (ts.isObjectLiteralExpression(node)) addRows(node, rowsOf(node));
    ts.forEachChild(node, visit);
  }

  function addNumber(node: ts.NumericLiteral): void {
    const value = Number(node.text);
    add(node, `${value + 1}`, value === 0 ? "(-1)" : `${value - 1}`);
  }

  function addText(node: ts.StringLiteral): void {
    const texts = textsAt(node);
    const index = texts.indexOf(node.text);
    if (index >= 0 && texts.length > 1) {
      add(node, JSON.stringify(texts[(index + 1) % texts.length]));
    } else if (node.text === "") {
      add(node, '"mutant"');
    } else if (!node.text.includes(" ")) {
      add(node, '""');
    }
  }

  /** The texts that may stand in the place of a literal. */
  function textsAt(node: ts.StringLiteral): string[] {
    const { parent } = node;
    let type: ts.Type | undefined;
    if (ts.isBinaryExpression(parent) && parent.operatorToken.getText(source).includes("==")) {
      type = checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left);
    } else if (ts.isCaseClause(parent)) {
      type = checker.getTypeAtLocation(parent.parent.parent.expression);
    } else {
      type = checker.getContextualType(node);
    }
    const members = type?.isUnion() ? type.types : [];
    return members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
  }

  function addOperator(whole: ts.BinaryExpression): void {
    const { operatorToken: token, left, right } = whole;
    const text = token.getText(source);
    if (text === "??") add(whole, left.getText(source), right.getText(source));
    else if (text === "+" && [left, right].some(isText)) return;
    else addPart(whole, token, ...(OPERATORS[text] ?? []));
  }

  function isText(node: ts.Node): boolean {
    return Boolean(checker.getTypeAtLocation(node).flags & ts.TypeFlags.StringLike);
  }

  function addNegation(node: ts.PrefixUnaryExpression): void {
    if (node.operator === ts.SyntaxKind.ExclamationToken) add(node, node.operand.getText(source));
  }

  function addCondition(node: ts.Expression): void {
    add(node, "true", "false");
  }

  function addJump(node: ts.ContinueStatement | ts.BreakStatement): void {
    // Without its break, a clause would go on with the next one; the compiler reports that.
    if (!ts.isCaseOrDefaultClause(node.parent)) addWithout(node);
  }

  function addStatement(node: ts.ExpressionStatement): void {
    const { expression } = node;
    const callsSuper =
      ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
    if (!callsSuper) addWithout(node);
  }

  function addMethod(node: ts.PropertyAccessExpression): void {
    const replacement = METHODS.get(node.name.text);
    const { parent: call } = node;
    if (replacement === undefined || !ts.isCallExpression(call) || call.expression !== node) return;
    // Parentheses around it would end the chain.
    if (!ts.isOptionalChain(call)) addPart(call, node.name, replacement);
  }

  function addElements(node: ts.ArrayLiteralExpression): void {
    if (node.elements.length >= 2 && node.elements.every(ts.isStringLiteral)) {
      for (const element of node.elements) {
        const others = node.elements.filter((other) => other !== element);
        add(node, `[${others.map((other) => other.getText(source)).join(", ")}]`);
      }
    }
    addRows(node, [...node.elements]);
  }

  function rowsOf(node: ts.ObjectLiteralExpression): ts.Expression[] {
    return node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) ? [property.initializer] : [],
    );
  }

  /** Swaps the first cells that differ between neighbouring rows of a table. */
  function addRows(table: ts.Expression, rows: readonly ts.Expression[]): void {
    const { text } = source;
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      const pair = next && differingCells(row, next);
      if (!pair) continue;
      const [from, to] = pair;
      const [one, other] = [from.getText(source), to.getText(source)];
      const between = text.slice(from.end, to.getStart(source));
      const before = text.slice(table.getStart(source), from.getStart(source));
      const swapped = `${before}${other}${between}${one}${text.slice(to.end, table.end)}`;
      addWhole(table, row, swapped, other, `${one} above ${other}`);
    }
  }

  function differingCells(row: ts.Expression, next: ts.Expression) {
    if (ts.isObjectLiteralExpression(row) && ts.isObjectLiteralExpression(next)) {
      const others = new Map(cellsOf(next));
      for (const [name, cell] of cellsOf(row)) {
        const other = others.get(name);
        if (other && other.getText(source) !== cell.getText(source)) return [cell, other] as const;
      }
    }
    if (ts.isArrayLiteralExpression(row) && ts.isArrayLiteralExpression(next)) {
      for (const [index, cell] of row.elements.entries()) {
        const other = next.elements[index];
        if (other && other.getText(source) !== cell.getText(source)) return [cell, other] as const;
      }
    }
    return undefined;
  }

  function cellsOf(node: ts.ObjectLiteralExpression): [string, ts.Expression][] {
    return node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property)
        ? [[property.name.getText(source), property.initializer] satisfies [string, ts.Expression]]
        : [],
    );
  }

  visit(source);
  return mutants.sort((one, other) => one.start - other.start);
}

/** Whether a text or a number is the name of a property. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isLiteralExpression(node)) return false;
  // `{ "content-length": length } = …` names what it takes, too.
  if (ts.isBindingElement(parent) && parent.propertyName === node) return true;
  return "name" in parent && parent.name === node;
}

/** A pattern without its ends, and with each count changed by one. */
function regularExpressions(text: string): string[] {
  const end = text.lastIndexOf("/");
  const body = text.slice(1, end);
  const flags = text.slice(end);
  const bodies = [
    ...(body.startsWith("^") ? [body.slice(1)] : []),
    ...(body.endsWith("$") ? [body.slice(0, -1)] : []),
    ...[...body.matchAll(/(?<=\{|,)\d+(?=[,}])/g)].map(
      ({ 0: count, index }) =>
        `${body.slice(0, index)}${Number(count) + 1}${body.slice(index + count.length)}`,
    ),
    ...[...body.matchAll(/(?<=[\])\w])\+/g)].map(
      ({ index }) => `${body.slice(0, index)}*${body.slice(index + 1)}`,
    ),
  ];
  return bodies.filter((one) => one !== "").map((one) => `/${one}${flags}`);
}

/**
 * Returns the source with all of its mutants, each behind a switch: `__is(7)` says whether the mutant
 * with that number is on. So one process can judge them all without loading the file again.
 *
 * @param first - the number of the first mutant
 */
export function withSwitches(source: string, mutants: readonly Mutant[], first: number): string {
  const numbered = mutants.map((mutant, index) => ({ ...mutant, number: first + index }));
  /** From the outside in; of those at one place, in their order. */
  numbered.sort((one, other) => one.start - other.start || other.end - one.end);
  let at = 0;

  function emit(start: number, end: number): string {
    let text = "";
    let position = start;
    for (let next = numbered[at]; next && next.start < end; next = numbered[at]) {
      const same = [];
      for (
        let each = numbered[at];
        each && each.start === next.start && each.end === next.end;
        each = numbered[at]
      ) {
        same.push(each);
        at += 1;
      }
      text += source.slice(position, next.start);
      const inner = emit(next.start, next.end);
      const [{ text: only }] = same as [(typeof same)[0]];
      text +=
        only === undefined
          ? `{ if (!__is(${next.number})) {${inner}} }`
          : `(${same.map((each) => `__is(${each.number}) ? (${each.text}) : `).join("")}(${inner}))`;
      position = next.end;
    }
    return text + source.slice(position, end);
  }

  const body = emit(0, source.length);
  return `${body}\nfunction __is(mutant) { return globalThis.__mutation?.is(mutant) ?? false; }\n`;
}

"""Strongly connected components of a small graph: what can come back, and the order to work it out in."""


def components(after: list[list[int]]) -> list[list[int]]:
    """The components, each after all that can follow it; ``after``: of every node, those that follow it.

    Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972), without recursion.

    >>> components([[1], [2], [1, 3], []])
    [[3], [1, 2], [0]]
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    done: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(after)):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        path.append(root)
        stack = [(root, iter(after[root]))]
        while stack:
            node, rest = stack[-1]
            for each in rest:
                if each not in number:
                    number[each] = low[each] = len(number)
                    path.append(each)
                    stack.append((each, iter(after[each])))
                    break
                if each not in done:
                    low[node] = min(low[node], number[each])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == number[node]:
                    cut = path.index(node)
                    component, path = path[cut:], path[:cut]
                    done.update(component)
                    found.append(sorted(component))
    return found

# completion.bash: completes gtrav's command line in bash and, by bashcompinit, in zsh. The program's help names the
# words: options after a dash, variants after --variant or FAMILY:, orders after --reorder; else families, generators
# and files.
_gtrav() {
    local IFS=$'\n' line=${COMP_LINE:0:$COMP_POINT} word before families family words file
    word=${line##* } line=${line% *}
    before=${line##* }
    families=$("$1" -h | sed -n '/^FAMILY: /,/^GRAPH: /{s/^FAMILY: //; /^GRAPH: /!p}' | tr -s ', ' '\n')
    for family in $families ''; do
        [[ " $line $word" != *" $family"[\ :]* ]] || break
    done
    case $before:$word in
    *:-*) words=$("$1" --help options | sed -nE 's/^  (-., )?(--[a-z-]+).*/\2/p') ;;
    --reorder:*) words=$("$1" --help orders | sed -nE 's/^  ([a-z]+).*/\1/p') ;;
    --variant:* | *:"${family:-/}":*) words=$("$1" --help "${family:-bfs}" | sed -nE 's/^  ([a-z0-9-]+)( .*)?$/\1/p') ;;
    *)
        words="$families"$'\n'$("$1" --help generators | sed -nE 's/^  ([a-z0-9]+):.*/\1:/p')
        for file in $(compgen -f -- "$word"); do
            [[ ! -d $file ]] || file+=/
            words+=$'\n'$file
        done
        ;;
    esac
    [[ $word != "$family":* ]] || words=$(sed "s/^/$family:/" <<<"$words")
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ ${COMPREPLY[*]} != *[:/] ]] || compopt -o nospace 2>/dev/null
    # Bash, not zsh, begins a new word after a colon.
    [[ -n ${ZSH_VERSION-} || $word != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}")
}
complete -F _gtrav gtrav
